/** Why a phone cannot use an address: it names the computer that opens it, or it is not encrypted. */
type AddressProblem = 'local' | 'plain'

/** Names and numbers of the computer itself (RFC 6761, 6.3; RFC 5735; RFC 4291, 2.5.3). */
const LOCAL = /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i

/** Returns why a phone cannot use an address; undefined if nothing is known against it. */
export function addressProblem(address: string): AddressProblem | undefined {
  const url = URL.parse(address)
  if (url === null) return undefined
  if (LOCAL.test(url.hostname)) return 'local'
  return url.protocol === 'https:' ? undefined : 'plain'
}
