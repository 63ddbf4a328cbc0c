import type { IncomingHttpHeaders } from 'node:http'

/** Longer than any token of ours; a longer one is not worth hashing. */
export const MAX_TOKEN_LENGTH = 200

/**
 * The token that a request carries: `X-API-Key`, else `Authorization: Bearer`. Where both are sent, `X-API-Key` counts,
 * also when it is wrong: a client that sends two tokens is to hear about the first, not to be let in by luck.
 */
export function requestToken(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key']
  const token = typeof key === 'string' ? key : bearer(headers.authorization)
  return token === undefined || token === '' || token.length > MAX_TOKEN_LENGTH ? undefined : token
}

function bearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +(\S+)$/i.exec(authorization)?.[1]
}
