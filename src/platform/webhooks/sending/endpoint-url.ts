import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.ts'

/** Longest URL of an endpoint, in characters. */
export const MAX_URL_LENGTH = 2048

/**
 * Returns what is wrong with the URL of an endpoint; undefined for one that can be used. A host name is judged by its
 * addresses, at each delivery.
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
