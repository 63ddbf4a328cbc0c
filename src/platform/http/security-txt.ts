import type { HttpServer } from './http-server.ts'

/** Time for which a copy of the file may be trusted. RFC 9116 recommends less than a year. */
const VALID_FOR_MS = 180 * 86_400_000
const DAY_MS = 86_400_000

type Options = {
  /** Addresses to report vulnerabilities to, the preferred one first; none if there is nobody. */
  contacts: readonly string[]
  /** Public address of the server; empty if it is unknown. */
  baseUrl: string
  now: () => number
}

/**
 * GET /.well-known/security.txt (RFC 9116): where to report vulnerabilities of this installation.
 * Without contacts there is no such address. A server that runs confirms the contacts each day
 * anew, so the date of expiry moves with it.
 */
export function serveSecurityTxt(app: HttpServer, { contacts, baseUrl, now }: Options): void {
  if (contacts.length === 0) return
  const path = '/.well-known/security.txt'
  app.get(path, { schema: { hide: true } }, async (_request, reply) => {
    const expires = new Date(Math.floor(now() / DAY_MS) * DAY_MS + VALID_FOR_MS)
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires.toISOString().replace('.000', '')}`,
      // The address must be one that is fetched by https.
      ...(baseUrl.startsWith('https://') ? [`Canonical: ${baseUrl}${path}`] : []),
    ]
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })
}

/**
 * Reads contacts for `security.txt`, separated by commas: mail addresses, telephone numbers as `tel:…`, and https
 * addresses.
 * @throws Error that describes a valid contact
 */
export function securityContacts(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const address = /^[^\s:@]+@[^\s:@]+$/.test(part) ? `mailto:${part}` : part
      if (!/^(?:mailto:[^\s@]+@[^\s@]+|tel:\+?[\d-]+|https:\/\/\S+)$/.test(address) || !URL.canParse(address))
        throw new Error(`must be mail addresses or https addresses, separated by commas; ${part} is neither`)
      return address
    })
}
