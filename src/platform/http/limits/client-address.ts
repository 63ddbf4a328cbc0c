import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Matches an address with the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::\d+)?$/

/** Group of all clients without an address, such as `unknown` (RFC 7239, 6.2). They share one limit. */
const NO_ADDRESS = 'unknown'

/**
 * Returns the group under which a client's address is counted. An IPv6 subscriber owns at least a /64, so counting
 * single addresses would give one subscriber 2^64 limits. An IPv4 address mapped into IPv6 counts as the IPv4 address.
 */
export function addressGroup(address: string): string {
  if (isIPv4(address)) return address
  const parsed = parse(address)
  if (parsed === undefined) return NO_ADDRESS
  return parsed.kind() === 'ipv4' ? parsed.toString() : network(parsed as ipaddr.IPv6, 64)
}

/**
 * Returns the /48 of an IPv6 address, the most that providers assign to one subscriber
 * (RFC 6177). Undefined for any other address.
 */
export function addressSite(address: string): string | undefined {
  const parsed = isIPv4(address) ? undefined : parse(address)
  return parsed?.kind() === 'ipv6' ? network(parsed as ipaddr.IPv6, 48) : undefined
}

/**
 * Returns the network of an address, which many clients share: the /24 of IPv4, the /48 of IPv6. It tells where
 * requests come from without naming a person.
 */
export function addressNetwork(address: string): string {
  const parsed = parse(address)
  if (parsed === undefined) return NO_ADDRESS
  if (parsed.kind() === 'ipv6') return network(parsed as ipaddr.IPv6, 48)
  return `${(parsed as ipaddr.IPv4).octets.slice(0, 3).join('.')}.0/24`
}

/** The part of a client's address that is logged: all of it, its network (IPv4 /24, IPv6 /48), or nothing. */
export type LoggedAddresses = 'full' | 'network' | 'none'

/** Returns what is logged of an address. */
export function loggedAddress(address: string, part: LoggedAddresses): string | undefined {
  if (part === 'none') return undefined
  return part === 'full' ? address : addressNetwork(address)
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const { v4, v6 } = WITH_PORT.exec(address)?.groups ?? {}
  const host = v4 ?? v6 ?? address
  return ipaddr.isValid(host) ? ipaddr.process(host) : undefined
}

function network({ parts }: ipaddr.IPv6, bits: 48 | 64): string {
  const prefix = parts.slice(0, bits / 16).map((part) => part.toString(16))
  return `${prefix.join(':')}::/${bits}`
}
