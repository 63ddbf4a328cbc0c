// npm run replay -- <file> : plays a recorded activity against a running server, as a phone would send it.
import { readArguments, USAGE } from './replay/read-arguments.ts'
import { replayActivity } from './replay/replay-activity.ts'
import { ReplayError } from './replay/replay-error.ts'

/** Exit code that shells use for a program ended by Ctrl-C. */
const INTERRUPTED = 130

const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort())
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (typeof options === 'number') return options
  try {
    return (await replayActivity(options, process.stdout, interruption.signal)) ? 0 : 1
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error
    process.stderr.write(`${error.message}\n`)
    return interruption.signal.aborted ? INTERRUPTED : 1
  }
}

/** Returns the options, or the exit code if there is nothing to play. */
function readOptions(args: readonly string[]) {
  try {
    const options = readArguments(args, process.env)
    if (options !== undefined) return options
    process.stdout.write(`${USAGE}\n`)
    return 0
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`)
    return 1
  }
}
