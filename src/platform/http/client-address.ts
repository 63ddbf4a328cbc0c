import ipaddr from 'ipaddr.js'

/**
 * The name under which a client's address is counted. An IPv6 subscriber owns at least a /64, so counting single
 * addresses would let one of them have 2^64 allowances; an IPv4 address mapped into IPv6 is the IPv4 address.
 */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
