import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import pLimit from 'p-limit'

/** The addresses that deliveries may go to. */
export type AddressPolicy = ReturnType<typeof createAddressPolicy>

type Network = ReturnType<typeof ipaddr.parseCIDR>

/**
 * The addresses of the Internet that are assigned (RFC 4291, 2.4). The rest of IPv6 embeds IPv4 addresses, or is local.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** The metadata service of Azure, which has an address that looks public. All other clouds use local addresses. */
const AZURE_METADATA = '168.63.129.16'

/**
 * Allows public addresses over https, and the networks that the operator has named, over http too. Everything else is
 * refused: private, shared (100.64.0.0/10), loopback, link-local, metadata, multicast and reserved addresses, and IPv6
 * addresses that embed an IPv4 address.
 * @param allowedNetworks addresses and CIDR ranges
 */
export function createAddressPolicy(allowedNetworks: readonly string[]) {
  const networks = allowedNetworks.map(parseNetwork)
  return {
    /** True where the operator has named networks: http is allowed to those, and only to those. */
    allowsHttp: networks.length > 0,
    /** Tells whether a request with this protocol (`https:`, `http:`) may go to an IP address. */
    allows(address: string, protocol: string): boolean {
      if (!ipaddr.isValid(address)) return false
      // An IPv4 address mapped into IPv6 leads to the IPv4 address.
      const parsed = ipaddr.process(address)
      if (networks.some((network) => isWithin(parsed, network))) return true
      return protocol === 'https:' && isPublic(parsed)
    },
  }
}

function parseNetwork(text: string): Network {
  const network = text.includes('/') ? ipaddr.parseCIDR(text) : ipaddr.parseCIDR(`${text}/${isIpv4(text) ? 32 : 128}`)
  return network
}

function isIpv4(text: string): boolean {
  return ipaddr.parse(text).kind() === 'ipv4'
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, network: Network): boolean {
  return address.kind() === network[0].kind() && address.match(network)
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_IPV6) : address.toString() !== AZURE_METADATA
}

/** Longest URL of an endpoint, in characters. */
export const MAX_URL_LENGTH = 2048

/**
 * Returns the problem with the URL of an endpoint; undefined for a valid one. A host name is judged by its addresses,
 * at each delivery.
 */
export function endpointUrlProblem(text: string, policy: AddressPolicy): string | undefined {
  const url = URL.parse(text)
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return 'must be an https URL'
  if (url.protocol === 'http:' && !policy.allowsHttp) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.hash !== '') return 'must not have a fragment'
  const address = literalAddress(url)
  if (address !== undefined && !policy.allows(address, url.protocol))
    return 'must not lead to a private, local or reserved address'
  return undefined
}

/**
 * Returns the address that stands in a URL in place of a host name. Other spellings, such as `0x7f.1`, are parsed by
 * URL.
 */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? undefined : host
}

/** Returns the addresses of a host name. Rejects if it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>

const QUERY_TIMEOUT_MS = 3000
const TRIES = 2

/**
 * Resolves names by DNS queries of its own. `lookup` of Node.js would occupy one of the four threads that files and
 * compression use, and a slow name server could hold all of them. It is asked, one name at a time, for names that only
 * the machine's hosts file has.
 */
export function createResolveName(): ResolveName {
  const oneAtATime = pLimit(1)
  return async (name) => {
    if (name === 'localhost') return ['127.0.0.1', '::1']
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (addresses.length > 0) return addresses
    return (await oneAtATime(() => lookup(name, { all: true }))).map(({ address }) => address)
  }
}
