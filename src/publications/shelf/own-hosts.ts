import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import Type from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import { hasValidHost, hostNameOf, requestHost } from '#platform/http/client.ts'
import type { BeforeRouting, HttpServer } from '#platform/http/http-server.ts'
import type { ResolveName } from '#platform/webhooks/address-policy.ts'
import type { Addresses } from '../model/config.ts'
import { domainIsOurs } from '../model/errors.ts'
import { parseDomain } from '../model/face-fields.ts'
import type { FacesStore } from '../model/faces-store.ts'
import { ownSites, pathOnServer, siteOf } from '../model/sites.ts'

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

/** Longer than an answer of DNS takes, and shorter than anyone waits. */
const RESOLVE_WITHIN_MS = 5_000

/** Places to which the host name of a workspace leads, as far as DNS tells. */
export const DOMAIN_STATES = ['here', 'elsewhere', 'unresolved', 'unknown'] as const

/**
 * Returns whether a host name leads to the addresses of the public site. Asks DNS alone, and no address that it names.
 * `unknown` if the name of the public site is in no DNS, as on a server that is being tried out.
 */
export async function domainState(
  domain: string,
  { addresses, resolveName }: { addresses: Addresses; resolveName: ResolveName },
): Promise<(typeof DOMAIN_STATES)[number]> {
  const timedOut = wait(RESOLVE_WITHIN_MS, [], { ref: false })
  const addressesOf = async (name: string): Promise<readonly string[]> =>
    isIP(name) > 0 ? [name] : await Promise.race([resolveName(name).catch(() => []), timedOut])
  const ours = new URL(addresses.public()).hostname.replace(/^\[(.*)\]$/, '$1')
  const [found, expected] = await Promise.all([addressesOf(domain), addressesOf(ours)])
  if (found.length === 0) return 'unresolved'
  if (expected.some((address) => found.includes(address))) return 'here'
  return expected.length === 0 || ours === 'localhost' ? 'unknown' : 'elsewhere'
}

/** Paths of probes, which must not depend on the database. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Returns a function that leads requests for the host name of a workspace to its shelf and its publications, and to
 * nothing else. Each asks the database, so that a name counts on all instances at once; requests for the names of the
 * server itself, for addresses of numbers and for names without a dot do not.
 */
export function routeByHost(
  { faces, addresses }: { faces: FacesStore; addresses: Addresses },
  trustedProxies: readonly string[],
): BeforeRouting {
  const hostOf = requestHost(trustedProxies)
  async function lead(request: IncomingMessage, domain: string): Promise<void> {
    const face = await faces.atDomain(domain)
    if (face === undefined) return
    const { method = 'GET', url = '/' } = request
    ownSites.set(request, { ...siteOf(addresses, domain), workspaceId: face.workspace_id })
    Object.assign(request, { originalUrl: url, url: pathOnServer(method, url, face.slug) })
  }
  /** The latest Host with a name of the server itself, as most requests have it. */
  let ours = ''
  return (request) => {
    const host = hostOf(request)
    if (host === ours) return undefined
    const domain = parseDomain(host.replace(/:\d*$/, ''))
    if (domain === undefined || !hasValidHost(request)) return undefined
    if (serverNames(addresses).includes(domain)) {
      ours = host
      return undefined
    }
    if (PROBES.has(request.url ?? '')) return lead(request, domain).catch(() => {})
    return lead(request, domain)
  }
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
