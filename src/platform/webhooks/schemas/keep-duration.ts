const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Longest time for which a former secret is kept: a deployment of every receiver, with holidays in between. */
const MAX_KEEP_MS = 30 * 86_400_000

/** Returns what is wrong with a time such as `24h`; undefined if it can be used. */
export function keepProblem(text: string): string | undefined {
  const keepMs = readKeep(text)
  return keepMs !== undefined && keepMs <= MAX_KEEP_MS
    ? undefined
    : 'must be a length of time such as 90s, 15m, 24h or 7d, at most 30d'
}

/** Converts a time that has no `keepProblem` to milliseconds. Nothing given is 0. */
export function keepMilliseconds(text: string | null | undefined): number {
  return (text == null ? undefined : readKeep(text)) ?? 0
}

function readKeep(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNIT_MS[unit]
}
