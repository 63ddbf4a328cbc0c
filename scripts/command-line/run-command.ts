/** Exit code that shells use for a program ended by Ctrl-C. */
const INTERRUPTED = 130

type Command<Options> = {
  usage: string
  /** Returns undefined if the command line asks for help. */
  readArguments(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Options | undefined
  /** The kind of errors that say enough by their message. */
  expected: abstract new (
    ...args: never[]
  ) => Error
  /** Resolves with false if something failed that has been reported. Ctrl-C aborts `signal`. */
  run(options: Options, signal: AbortSignal): Promise<boolean>
}

type Outputs = { stdout: { write(text: string): unknown }; stderr: { write(text: string): unknown } }

/** Runs the command of this process, and sets its exit code. */
export async function runCommand<Options>(command: Command<Options>): Promise<void> {
  const interruption = new AbortController()
  process.once('SIGINT', () => interruption.abort())
  process.exitCode = await exitCodeOf(command, process.argv.slice(2), process, interruption.signal)
}

/** Runs a command and returns its exit code. Errors of another kind than expected are thrown, with their stack. */
export async function exitCodeOf<Options>(
  { usage, readArguments, expected, run }: Command<Options>,
  args: readonly string[],
  { stdout, stderr }: Outputs,
  signal: AbortSignal,
): Promise<number> {
  let isRead = false
  try {
    const options = readArguments(args, process.env)
    isRead = true
    if (options === undefined) {
      stdout.write(`${usage}\n`)
      return 0
    }
    if (await run(options, signal)) return 0
  } catch (error) {
    if (!(error instanceof expected)) throw error
    stderr.write(isRead ? `${error.message}\n` : `${error.message}\n${usage}\n`)
  }
  return signal.aborted ? INTERRUPTED : 1
}
