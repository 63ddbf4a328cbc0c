import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { hostName } from '#platform/http/server/host-name.ts'

/** The address of the dashboard. `dashboardHost` is its host name, and undefined if it answers under any name. */
export type Site = { baseUrl: () => string; dashboardHost: string | undefined }

/**
 * Restricts this scope to the dashboard's host name. Under another name of the server there are pages with documents
 * written by strangers, and under a name that is none of the operator's, a page that had the name point here (DNS
 * rebinding). A script on either would share an origin with the dashboard.
 */
export function restrictToHost(app: HttpServer, { baseUrl, dashboardHost }: Site): void {
  if (dashboardHost === undefined) return
  app.addHook('onRequest', ({ host }, _reply, done) => {
    done(hostName(host) === dashboardHost ? undefined : notFound({ detail: elsewhere(baseUrl()) }))
  })
}

function elsewhere(baseUrl: string): string {
  return `The dashboard answers only at ${baseUrl} (BASE_URL). A proxy has to pass on the Host header.`
}
