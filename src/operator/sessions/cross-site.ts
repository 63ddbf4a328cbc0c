import type { HttpServer } from '#platform/http/http-server.ts'
import { crossSite } from '../errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What tells where a request comes from. */
export type RequestOrigin = {
  method: string
  /** The host it was sent to, as the browser knows it. */
  host: string
  secFetchSite: string | undefined
  origin: string | undefined
}

/**
 * Whether a request would change something because another site made the browser send it. Browsers say so themselves in
 * `Sec-Fetch-Site` (Fetch Metadata, W3C), except to addresses without TLS; there `Origin` (RFC 6454) has to be our own:
 * that of `baseUrl`, or of the host that the request was sent to. A request with neither is not made by a browser.
 */
export function isCrossSite({ method, host, secFetchSite, origin }: RequestOrigin, baseUrl: string): boolean {
  if (SAFE_METHODS.has(method)) return false
  if (secFetchSite !== undefined) return secFetchSite !== 'same-origin' && secFetchSite !== 'none'
  if (origin === undefined) return false
  const from = URL.parse(origin)
  if (from === null) return true
  return from.origin !== URL.parse(baseUrl)?.origin && from.host !== host.toLowerCase()
}

/** Refuses such requests in this scope. */
export function refuseCrossSite(app: HttpServer, baseUrl: () => string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, host, headers } = request
    const from = { method, host, secFetchSite: headers['sec-fetch-site'] as string | undefined, origin: headers.origin }
    done(isCrossSite(from, baseUrl()) ? crossSite() : undefined)
  })
}
