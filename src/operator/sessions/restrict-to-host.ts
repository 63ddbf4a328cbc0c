import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'

/** The address of the dashboard, and the addresses of other sites on the same server. */
export type Sites = { baseUrl: () => string; otherUrls: () => readonly string[] }

/**
 * Tells whether a request was sent to the host name of another site. Pages there show documents written by strangers: if
 * one of them ever ran a script, it would share an origin with a dashboard under the same name.
 */
function isOtherSite(host: string, baseUrl: string, otherUrls: readonly string[]): boolean {
  const name = hostName(`http://${host}`)
  return name !== undefined && name !== hostName(baseUrl) && otherUrls.some((url) => hostName(url) === name)
}

/** Restricts this scope to the dashboard's host name and names that belong to no other site. */
export function restrictToHost(app: HttpServer, { baseUrl, otherUrls }: Sites): void {
  app.addHook('onRequest', ({ host }, _reply, done) => {
    done(isOtherSite(host, baseUrl(), otherUrls()) ? notFound() : undefined)
  })
}

/** Leaves the port out, as some proxies do. */
function hostName(url: string): string | undefined {
  return URL.parse(url)?.hostname
}
