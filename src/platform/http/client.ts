import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { badRequest } from '../basics/errors.ts'

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

/** Returns the part of an address that is logged. */
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

/** Returns a function that tells whether an address is in one of the ranges, such as `10.0.0.0/8`. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false
  const list = new BlockList()
  for (const range of ranges) {
    const [address, bits] = range.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/** A name, an IPv4 address or a bracketed IPv6 address, and a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/**
 * Tells whether a request has exactly one Host header, with a valid value (RFC 9112, 3.2). A proxy that decides by one
 * of two would not protect a server that decides by the other. HTTP/1.0 may go without.
 */
export function hasValidHost({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === '1.0'
  return HOST.test(host) && !isRepeated(rawHeaders)
}

/** `headers` has only the first. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index].length === 4 && rawHeaders[index].toLowerCase() === 'host') count++
  }
  return count > 1
}

/**
 * Returns the name in the value of a Host header in the form in which names are compared: in lower case, without the
 * dot of the root (`example.org.`), and without the port, which some proxies leave out.
 */
export function hostName(host: string): string | undefined {
  return hostNameOf(`http://${host}`)
}

/** Returns the host name of an address, in the same form; undefined if it has none. */
export function hostNameOf(url: string): string | undefined {
  return URL.parse(url)?.hostname.replace(/(?<!\.)\.+$/, '')
}

/**
 * Returns a function that gives the Host of a request: the one that a trusted proxy has received, if it says so in
 * `X-Forwarded-Host`. Fastify's `request.host` is the same, but only exists once the route is known.
 */
export function requestHost(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = addressMatcher(trustedProxies)
  return ({ headers, socket }) => {
    const forwarded = headers['x-forwarded-host']
    if (typeof forwarded !== 'string' || forwarded === '' || !isTrusted(socket.remoteAddress ?? ''))
      return headers.host ?? ''
    return forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
  }
}

/** Longer than any token of ours; a longer one is not worth hashing. */
export const MAX_TOKEN_LENGTH = 200

/**
 * The token that a request carries: `X-API-Key`, else `Authorization: Bearer`. Where both are sent, `X-API-Key` counts,
 * also when it is wrong: a client that sends two tokens is to hear about the first, not to be let in by luck.
 */
export function requestToken(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key']
  const token = typeof key === 'string' ? key : bearer(headers.authorization)
  return token === undefined || token === '' || token.length > MAX_TOKEN_LENGTH ? undefined : token
}

function bearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +(\S+)$/i.exec(authorization)?.[1]
}

/**
 * Returns a signal that aborts when the connection closes before the answer is sent, so that nothing is computed for a
 * client that has left. It also aborts after the answer.
 */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  // Nobody reads this answer. It is a client's error, so that the log says nothing.
  const leave = () => leaving.abort(badRequest({ detail: 'The client left before the answer.' }))
  if (raw.destroyed || raw.closed) leave()
  else raw.once('close', leave)
  return leaving.signal
}

/** Returns the caller of a request for a `WorkQueue`, with a signal that aborts when the client disconnects. */
export function workClient({ ip }: FastifyRequest, reply: FastifyReply): { caller: string; signal: AbortSignal } {
  return { caller: addressGroup(ip), signal: disconnectSignal(reply) }
}
