/** One thing that the admin command can do. It gives what is printed as JSON on standard output. */
export type Command = {
  /** Its words and arguments, as one types them: `events create <name>`. */
  usage: string
  doc: string
  run(args: readonly string[], options: Readonly<Record<string, string | undefined>>): Promise<unknown>
}

/** A mistake of the person at the keyboard; its message is all that is shown. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The required argument at a place. @throws UsageError that shows how the command is used. */
export function requireArgument(args: readonly string[], index: number, command: { usage: string }): string {
  const value = args[index]
  if (value === undefined || value.trim() === '') throw new UsageError(`Usage: admin ${command.usage}`)
  return value
}

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A length of time such as `90s`, `15m`, `24h` or `7d`, in milliseconds. @throws UsageError */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (amount === undefined)
    throw new UsageError(`${JSON.stringify(text)} is not a length of time such as 90s, 15m, 24h or 7d`)
  return Number(amount) * UNIT_MS[unit]
}
