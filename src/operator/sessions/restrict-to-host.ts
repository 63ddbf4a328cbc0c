import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'

/** The address of the dashboard, and those of other sites that the same server answers. */
export type Sites = { baseUrl: () => string; otherUrls: () => readonly string[] }

/**
 * Whether a request was sent to a host name of another site. Pages there show documents that strangers have written; if
 * one of them ever ran a script, it would have the dashboard as its own origin under the same name.
 */
export function isOtherSite(host: string, baseUrl: string, otherUrls: readonly string[]): boolean {
  const name = hostName(`http://${host}`)
  return name !== undefined && name !== hostName(baseUrl) && otherUrls.some((url) => hostName(url) === name)
}

/** Has this scope be nowhere but at the dashboard's own host name, and at those that are no other site's. */
export function keepToOwnHost(app: HttpServer, { baseUrl, otherUrls }: Sites): void {
  app.addHook('onRequest', ({ host }, _reply, done) => {
    done(isOtherSite(host, baseUrl(), otherUrls()) ? notFound() : undefined)
  })
}

/** Without the port, which some proxies leave out. */
function hostName(url: string): string | undefined {
  return URL.parse(url)?.hostname
}
