/** Longest address of a style; those of providers hold a key. */
export const MAX_STYLE_URL_LENGTH = 2000
/** Far more than the hosts of any style. */
export const MAX_ORIGINS = 30

/** Hosts of this machine, for which browsers allow http on any page. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Tells what is wrong with the address of a style, in words to follow its name; undefined if nothing is. */
export function styleUrlProblem(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !isSecure(url)) return 'must be an https URL'
  return url.username !== '' || url.password !== '' ? 'must not contain a user name or password' : undefined
}

/** Tells what is wrong with an origin, in words to follow its name; undefined if nothing is. */
export function originProblem(text: string): string | undefined {
  const url = URL.parse(text)
  const isOrigin = url !== null && isSecure(url) && url.origin === text && /^[\w.:/[\]-]+$/.test(text)
  return isOrigin ? undefined : 'must be an https origin such as https://tiles.example.org'
}

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))
}
