import type { IncomingMessage } from 'node:http'

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
