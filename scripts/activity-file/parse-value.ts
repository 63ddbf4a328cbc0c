/** Returns the number in a text, or undefined when it has none. */
export function parseNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** Returns a time as ISO 8601 in UTC, or undefined for other text; a time without an offset is UTC, as GPX requires. */
export function parseTime(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d[T ]/.test(text)) return undefined
  const date = new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
