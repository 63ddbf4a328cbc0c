import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { hostName, hostNameOf } from '#platform/http/server/host-name.ts'

type Deps = {
  /** Address of file delivery; empty if none is set. */
  cdnUrl: string
  /** Host name of the dashboard; undefined if it answers under any name. */
  dashboardHost: string | undefined
}

/**
 * Redirects requests of this scope from the dashboard's host name to `cdnUrl`, if that has a name of its
 * own: files come from strangers, and a script in one of them would share an origin with the dashboard. A
 * redirect keeps the addresses that were issued before `cdnUrl` was set. Under any other name files are
 * sent, because a CDN may fetch them by one.
 */
export function restrictToCdn(app: HttpServer, { cdnUrl, dashboardHost }: Deps): void {
  if (cdnUrl === '' || dashboardHost === undefined || hostNameOf(cdnUrl) === dashboardHost) return
  app.addHook('onRequest', (request, reply, done) => {
    if (hostName(request.host) !== dashboardHost) return done()
    const target = request.raw.url!
    // The target may be a whole URL (RFC 9112, 3.2.2).
    if (!target.startsWith('/')) return done(notFound())
    reply
      .header('cache-control', 'no-store')
      .header('access-control-allow-origin', '*')
      .redirect(cdnUrl + target, 307)
  })
}
