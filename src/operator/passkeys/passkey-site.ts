import { isIP } from 'node:net'

/** The site that passkeys are bound to: browsers offer them there and nowhere else. */
export type PasskeySite = { rpId: string; origin: string }

/**
 * Returns the site of an address; undefined for one at which browsers have no passkeys: they require TLS, except on
 * this machine, and a host name (Web Authentication, 5.1.2).
 */
export function passkeySite(baseUrl: string): PasskeySite | undefined {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || (protocol !== 'https:' && !isHere)) return undefined
  return { rpId: hostname, origin }
}
