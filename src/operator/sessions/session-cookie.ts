import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'trackpress_session'

/** The only cookie: the session of a signed-in operator. */
export type SessionCookie = {
  /** Returns the token that a request carries; undefined without the cookie. */
  read(request: FastifyRequest): string | undefined
  /** Sets the cookie for a lifetime. */
  write(reply: FastifyReply, token: string, lifetimeMs: number): void
  /** Deletes the cookie in the browser. */
  clear(reply: FastifyReply): void
}

/**
 * Creates the cookie of the address `baseUrl`. With https, the prefix `__Host-` binds it to this host and to TLS
 * (RFC 6265bis, 4.1.3). `SameSite=Strict` keeps it out of every request that another site causes. A link in a mail still
 * leads to the dashboard signed in: the page itself needs no cookie, and its requests come from its own site.
 */
export function createSessionCookie(baseUrl: () => string): SessionCookie {
  const isBound = () => baseUrl().startsWith('https://')
  const name = () => (isBound() ? `__Host-${NAME}` : NAME)

  function set(reply: FastifyReply, value: string, maxAgeSec: number): void {
    const secure = isBound() || reply.request.protocol === 'https'
    const options = { path: '/', maxAge: maxAgeSec, httpOnly: true, sameSite: 'strict', secure } as const
    // On the raw response, so that it is also sent with a response that a route writes itself.
    reply.raw.setHeader('set-cookie', reply.server.serializeCookie(name(), value, options))
  }

  return {
    read: ({ headers, server }) => server.parseCookie(headers.cookie ?? '')[name()],
    write: (reply, token, lifetimeMs) => set(reply, token, Math.floor(lifetimeMs / 1000)),
    clear: (reply) => set(reply, '', 0),
  }
}
