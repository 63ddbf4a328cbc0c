/**
 * Formats a moment with the offset of the local time zone, such as
 * `2026-05-03T08:15:00+02:00`: titles show local hours.
 */
export function localDateTime(timeMs: number): string {
  const offsetMin = -new Date(timeMs).getTimezoneOffset()
  const shifted = new Date(timeMs + offsetMin * 60_000).toISOString().slice(0, 19)
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0')
  return `${shifted}${offsetMin < 0 ? '-' : '+'}${two(Math.abs(offsetMin) / 60)}:${two(Math.abs(offsetMin) % 60)}`
}

/** Formats the local date of a moment, such as `2026-05-03`. */
export function localDate(timeMs: number): string {
  return localDateTime(timeMs).slice(0, 10)
}
