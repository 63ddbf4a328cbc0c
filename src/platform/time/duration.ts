const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a length of time such as `90s`, `15m`, `24h` or `7d` in milliseconds; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNIT_MS[unit]
}
