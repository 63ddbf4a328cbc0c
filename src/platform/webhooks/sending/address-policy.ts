import ipaddr from 'ipaddr.js'

/** The addresses that deliveries may go to. */
export type AddressPolicy = {
  /** True where the operator has named networks: http is allowed to those, and only to those. */
  allowsHttp: boolean
  /** Tells whether a request with this protocol (`https:`, `http:`) may go to an IP address. */
  allows(address: string, protocol: string): boolean
}

type Network = ReturnType<typeof ipaddr.parseCIDR>

/**
 * The addresses of the Internet that are assigned (RFC 4291, 2.4). The rest of IPv6 embeds IPv4 addresses, or is local.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** The metadata service of Azure, which has an address that looks public. All other clouds use local addresses. */
const AZURE_METADATA = '168.63.129.16'

/**
 * Allows public addresses over https, and whatever the operator has named, over http too. Everything else is refused:
 * private, shared (100.64.0.0/10), loopback, link-local, metadata, multicast and reserved addresses, and
 * IPv6 addresses that embed an IPv4 address.
 * @param allowedNetworks addresses and CIDR ranges
 */
export function createAddressPolicy(allowedNetworks: readonly string[]): AddressPolicy {
  const networks = allowedNetworks.map(parseNetwork)
  return {
    allowsHttp: networks.length > 0,
    allows(address, protocol) {
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
