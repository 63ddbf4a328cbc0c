/** A command of the admin program. Its result is printed as JSON on standard output. */
export type Command = {
  /** Words and arguments as they are typed: `events create <name>`. */
  usage: string
  doc: string
  run(args: readonly string[], options: Readonly<Record<string, string | undefined>>): Promise<unknown>
}

/** Thrown for a mistake on the command line. Only its message is shown. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Returns a required argument by its position. @throws UsageError that shows the usage of the command */
export function requireArgument(args: readonly string[], index: number, command: { usage: string }): string {
  const value = args[index]
  if (value === undefined || value.trim() === '') throw new UsageError(`Usage: admin ${command.usage}`)
  return value
}

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses a duration such as `90s`, `15m`, `24h` or `7d` into milliseconds. @throws UsageError */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (amount === undefined)
    throw new UsageError(`${JSON.stringify(text)} is not a length of time such as 90s, 15m, 24h or 7d`)
  return Number(amount) * UNIT_MS[unit]
}
