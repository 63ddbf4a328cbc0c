import Negotiator from 'negotiator'

/** A header beyond this is cut off: parsing takes time for each of its commas, and no client names so much. */
const MAX_HEADER_LENGTH = 1_000

/** Returns the offered media type that `Accept` prefers (RFC 9110, 12.5.1); at equal quality the one it names first. */
export function preferredMediaType<Offered extends string>(
  accept: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  return negotiatorFor('accept', accept).mediaType(offered) as Offered | undefined
}

/** Returns the offered language that `Accept-Language` prefers (RFC 9110, 12.5.4); the first one without the header. */
export function preferredLanguage<Offered extends string>(
  acceptLanguage: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  return negotiatorFor('accept-language', acceptLanguage).language(offered) as Offered | undefined
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
