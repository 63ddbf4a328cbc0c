// npm run publish -- <file.pdf> : publishes a PDF on a running server and prints its public address.
import { PublishError } from './publish/publish-error.ts'
import { publishPdf } from './publish/publish-pdf.ts'
import { readArguments, USAGE } from './publish/read-arguments.ts'

/** Exit code that shells use for a program ended by Ctrl-C. */
const INTERRUPTED = 130

const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort())
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readArguments(args, process.env)
    if (options === undefined) process.stdout.write(`${USAGE}\n`)
    else await publishPdf(options, { output: process.stdout, progress: process.stderr }, interruption.signal)
    return 0
  } catch (error) {
    if (!(error instanceof PublishError)) throw error
    process.stderr.write(`${error.message}\n`)
    return interruption.signal.aborted ? INTERRUPTED : 1
  }
}
