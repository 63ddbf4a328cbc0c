import type { FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'trackpress_session'

/** The one cookie that there is: the session of a signed-in operator. */
export type SessionCookie = {
  /** Its value in a request; undefined without one. */
  read(request: FastifyRequest): string | undefined
  /** Has the browser keep it for so long. */
  write(reply: FastifyReply, token: string, lifetimeMs: number): void
  /** Has the browser forget it. */
  clear(reply: FastifyReply): void
}

/**
 * Where the public address is one of https, the cookie is bound to this very host and to TLS by the prefix `__Host-`
 * (RFC 6265bis, 4.1.3). `SameSite=Strict` keeps it out of every request that another site causes; a link in a mail still
 * leads to the dashboard signed in, because the page itself needs no cookie and what it then asks for is of its own site.
 */
export function createSessionCookie(baseUrl: () => string): SessionCookie {
  const isBound = () => baseUrl().startsWith('https://')
  const name = () => (isBound() ? `__Host-${NAME}` : NAME)

  function set(reply: FastifyReply, value: string, maxAgeSec: number): void {
    const secure = isBound() || reply.request.protocol === 'https' ? '; Secure' : ''
    const cookie = `${name()}=${value}; Path=/; Max-Age=${maxAgeSec}; HttpOnly; SameSite=Strict${secure}`
    // On the raw answer, so that it also goes out with one that a route writes by itself.
    reply.raw.setHeader('set-cookie', cookie)
  }

  return {
    read: ({ headers }) => cookieValue(headers.cookie ?? '', name()),
    write: (reply, token, lifetimeMs) => set(reply, token, Math.floor(lifetimeMs / 1000)),
    clear: (reply) => set(reply, '', 0),
  }
}

/** The first value of a name (RFC 6265, 4.2.1); the values that we give need no decoding. */
function cookieValue(header: string, name: string): string | undefined {
  const pair = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}
