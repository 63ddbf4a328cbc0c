import Type from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import { hostNameOf } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Addresses } from '../config.ts'
import { domainIsOurs } from '../errors.ts'
import { parseDomain } from '../model/domain.ts'
import type { FacesStore } from '../model/faces-store.ts'

/** Returns the host names of the server's own addresses, none of which a workspace gets. */
function serverNames(addresses: Addresses): (string | undefined)[] {
  return [addresses.base(), addresses.public(), addresses.cdn()].map(hostNameOf)
}

/**
 * Returns the host name that an operator has typed, as it is stored.
 * @throws domainIsOurs for a name of this server
 */
export function requireForeignDomain(text: string, addresses: Addresses): string {
  const domain = parseDomain(text.trim())!
  if (serverNames(addresses).includes(domain)) throw domainIsOurs()
  return domain
}

const AllowedQuery = Type.Object({ domain: Type.Optional(Type.Unknown()) })

/**
 * GET /domains/allowed: tells a proxy that is about to fetch a certificate whether a workspace has a host name, and
 * nothing else.
 */
export function allowedDomains(app: HttpServer, { faces }: { faces: FacesStore }) {
  app.get('/domains/allowed', { schema: { hide: true, querystring: AllowedQuery } }, async ({ query }, reply) => {
    const domain = typeof query.domain === 'string' ? parseDomain(query.domain) : undefined
    if (domain === undefined || (await faces.atDomain(domain)) === undefined) throw notFound()
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('allowed\n')
  })
}
