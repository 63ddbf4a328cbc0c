/** Longest `Prefer` header that is read. The known preferences need a few dozen characters; a longer one is ignored. */
const MAX_LENGTH = 1000

/** One preference and what follows it: a name, a value as a token or in quotes, and parameters (RFC 7240, 2). */
const PREFERENCE =
  /\s*([!#$%&'*+\-.^_`|~\w]+)(?:\s*=\s*(?:([!#$%&'*+\-.^_`|~\w]+)|"((?:[^"\\]|\\.)*)"))?((?:\s*;[^,"]*(?:"(?:[^"\\]|\\.)*"[^,"]*)*)?)\s*(?:,|$)/y

/**
 * Returns the preferences of a `Prefer` header by their names in lower case; the value is empty for one without. The
 * first of several with one name counts, and whatever cannot be read is ignored, as RFC 7240 demands.
 */
export function readPreferences(header: string | readonly string[] | undefined): ReadonlyMap<string, string> {
  const text = typeof header === 'string' ? header : (header ?? []).join(',')
  const found = new Map<string, string>()
  if (text.length > MAX_LENGTH) return found
  for (let at = 0; at < text.length; ) {
    PREFERENCE.lastIndex = at
    const match = PREFERENCE.exec(text)
    if (match === null) {
      const comma = text.indexOf(',', at)
      if (comma === -1) break
      at = comma + 1
      continue
    }
    const [whole, name, token, quoted] = match
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, token ?? quoted?.replace(/\\(.)/g, '$1') ?? '')
    at += whole.length
  }
  return found
}
