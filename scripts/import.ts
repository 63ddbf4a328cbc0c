// npm run import -- <files or folders> : imports recordings into an event of a running server.
import { ImportError } from './import/import-error.ts'
import { importFiles } from './import/import-files.ts'
import { readArguments, USAGE } from './import/read-arguments.ts'

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
    const { failed } = await importFiles(options, (line) => process.stdout.write(`${line}\n`), interruption.signal)
    if (interruption.signal.aborted) return INTERRUPTED
    return failed === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    process.stderr.write(`${error.message}\n`)
    return interruption.signal.aborted ? INTERRUPTED : 1
  }
}
