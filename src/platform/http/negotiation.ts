import Negotiator from 'negotiator'

/** A header beyond this is cut off: parsing takes time for each of its commas, and no client names so much. */
const MAX_HEADER_LENGTH = 1_000

/** Returns the offered media type that `Accept` prefers (RFC 9110, 12.5.1); at equal quality the first one named. */
export function preferredMediaType<Offered extends string>(
  accept: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  return negotiatorFor('accept', accept).mediaType(offered) as Offered | undefined
}

/**
 * Returns the offered coding that `Accept-Encoding` prefers (RFC 9110, 12.5.3); at equal quality the first one offered.
 */
export function preferredEncoding<Offered extends string>(
  acceptEncoding: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  // The package's types leave this option out.
  const negotiator: {
    encoding(offered: readonly string[], options: { preferred: readonly string[] }): string | undefined
  } = negotiatorFor('accept-encoding', acceptEncoding)
  return negotiator.encoding(offered, { preferred: offered }) as Offered | undefined
}

function negotiatorFor(header: string, value: string | undefined): Negotiator {
  return new Negotiator({ headers: { [header]: value?.slice(0, MAX_HEADER_LENGTH) } })
}

/** Longest `Prefer` header that is read. The known preferences need a few dozen characters; a longer one is ignored. */
const MAX_LENGTH = 1000

/** One preference and its parameters: a name, a value as a token or in quotes (RFC 7240, 2). */
const PREFERENCE =
  /\s*([!#$%&'*+\-.^_`|~\w]+)(?:\s*=\s*(?:([!#$%&'*+\-.^_`|~\w]+)|"((?:[^"\\]|\\.)*)"))?((?:\s*;[^,"]*(?:"(?:[^"\\]|\\.)*"[^,"]*)*)?)\s*(?:,|$)/y

/**
 * Returns the preferences of a `Prefer` header by their names in lower case; the value is empty for a preference
 * without one. The first of several with one name counts, and unreadable ones are ignored, as RFC 7240 demands.
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
