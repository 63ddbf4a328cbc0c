import { readDuration } from './time.ts'

/** A command of the admin program. Its result is printed as JSON on standard output. */
export type Command = {
  /** Words and arguments as they are typed: `events create <name>`. */
  usage: string
  doc: string
  /**
   * Set if the command neither makes a change that the audit log records nor shows a secret. All others are recorded.
   */
  isReadOnly?: true
  run(args: readonly string[], options: Readonly<Record<string, string | undefined>>): Promise<unknown>
}

/** Thrown for a mistake on the command line. Only its message is shown. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/**
 * Describes commands for the help, each with its explanation on the next line, because many are as long as a line.
 * @param program the words typed before them
 */
export function listCommands(commands: readonly Command[], program: string): string {
  const entries = commands.map(({ usage, doc }) => `  ${usage}\n      ${doc}\n`)
  return `Usage: ${program} <command>\n\n${entries.join('')}`
}

/** Returns the error for words that no command begins with. */
export function unknownCommand(words: readonly string[], help: string): UsageError {
  return new UsageError(words.length === 0 ? help : `There is no command "${words.join(' ')}".\n\n${help}`)
}

/** Returns a required argument by its position. @throws UsageError that shows the usage of the command */
export function requireArgument(args: readonly string[], index: number, command: { usage: string }): string {
  const value = args[index]
  if (value === undefined || value.trim() === '') throw new UsageError(`Usage: admin ${command.usage}`)
  return value
}

/** Parses a duration such as `90s`, `15m`, `24h` or `7d` into milliseconds. @throws UsageError */
export function parseDuration(text: string): number {
  const durationMs = readDuration(text)
  if (durationMs === undefined)
    throw new UsageError(`${JSON.stringify(text)} is not a length of time such as 90s, 15m, 24h or 7d`)
  return durationMs
}
