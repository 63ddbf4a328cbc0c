// npm run corpus -- <folder> : publishes every PDF of a folder, and reports the results and the state of the server.
import { corpusReport, failuresOf } from './corpus/corpus-report.ts'
import { publishCorpus } from './corpus/publish-corpus.ts'
import { readArguments, USAGE } from './corpus/read-arguments.ts'
import { PublishError } from './publish/publish-error.ts'

/** Exit code that shells use for a program ended by Ctrl-C. */
const INTERRUPTED = 130

const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort())
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readArguments(args, process.env)
    if (options === undefined) {
      process.stdout.write(`${USAGE}\n`)
      return 0
    }
    const run = await publishCorpus(options, process.stderr, interruption.signal)
    process.stdout.write(`${corpusReport(run)}\n`)
    return failuresOf(run).length === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof PublishError)) throw error
    process.stderr.write(`${error.message}\n`)
    return interruption.signal.aborted ? INTERRUPTED : 1
  }
}
