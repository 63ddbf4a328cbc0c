import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Matches an address with the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::\d+)?$/

/** Group of all clients without an address, such as `unknown` (RFC 7239, 6.2). They share one limit. */
const NO_ADDRESS = 'unknown'

/**
 * Returns the group under which a client's address is counted. An IPv6 subscriber owns at least a /64, so counting single
 * addresses would give one subscriber 2^64 limits. An IPv4 address mapped into IPv6 counts as the IPv4 address.
 */
export function addressGroup(address: string): string {
  if (isIPv4(address)) return address
  const { v4, v6 } = WITH_PORT.exec(address)?.groups ?? {}
  const host = v4 ?? v6 ?? address
  if (!ipaddr.isValid(host)) return NO_ADDRESS
  const parsed = ipaddr.process(host)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
