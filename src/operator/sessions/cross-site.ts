import type { HttpServer } from '#platform/http/http-server.ts'
import { crossSite } from '../errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

type RequestOrigin = {
  method: string
  /** The host that the request was sent to, as the browser knows it. */
  host: string
  secFetchSite: string | undefined
  origin: string | undefined
}

/**
 * Tells whether another site made the browser send a request that changes something. Browsers say so in
 * `Sec-Fetch-Site` (Fetch Metadata, W3C), except to addresses without TLS. There, `Origin` (RFC 6454) must match
 * `baseUrl` or the host that the request was sent to. A request with neither header does not come from a browser.
 */
function isCrossSite({ method, host, secFetchSite, origin }: RequestOrigin, baseUrl: string): boolean {
  if (SAFE_METHODS.has(method)) return false
  if (secFetchSite !== undefined) return secFetchSite !== 'same-origin' && secFetchSite !== 'none'
  if (origin === undefined) return false
  const from = URL.parse(origin)
  if (from === null) return true
  return from.origin !== URL.parse(baseUrl)?.origin && from.host !== host.toLowerCase()
}

/** Refuses cross-site requests in this scope. */
export function refuseCrossSite(app: HttpServer, baseUrl: () => string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, host, headers } = request
    const from = { method, host, secFetchSite: headers['sec-fetch-site'] as string | undefined, origin: headers.origin }
    done(isCrossSite(from, baseUrl()) ? crossSite() : undefined)
  })
}
