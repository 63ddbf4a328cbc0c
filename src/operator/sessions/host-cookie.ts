import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A cookie of this server's own pages, hidden from scripts and other sites. */
export type HostCookie = {
  /** Returns the value that a request carries; undefined without the cookie. */
  read(request: FastifyRequest): string | undefined
  /** Sets the cookie for a lifetime. */
  write(reply: FastifyReply, value: string, lifetimeMs: number): void
  /** Deletes the cookie in the browser. */
  clear(reply: FastifyReply): void
}

/**
 * Creates a cookie of the address `baseUrl`. With https, the prefix `__Host-` binds it to this host and to TLS
 * (RFC 6265bis, 4.1.3). `SameSite=Strict` keeps it out of every request that another site causes. A link in a mail
 * still leads to the dashboard signed in: the page itself needs no cookie, and its requests come from its own site.
 */
export function createHostCookie(plainName: string, baseUrl: () => string): HostCookie {
  const isBound = () => baseUrl().startsWith('https://')
  const name = () => (isBound() ? `__Host-${plainName}` : plainName)

  function set(reply: FastifyReply, value: string, maxAgeSec: number): void {
    const secure = isBound() || reply.request.protocol === 'https'
    const options = { path: '/', maxAge: maxAgeSec, httpOnly: true, sameSite: 'strict', secure } as const
    const cookie = reply.server.serializeCookie(name(), value, options)
    // On the raw response, so that it is also sent with a response that a route writes itself.
    const others = [reply.raw.getHeader('set-cookie') ?? []].flat().filter((other) => !isNamed(String(other), name()))
    reply.raw.setHeader('set-cookie', [...others.map(String), cookie])
  }

  return {
    read: ({ headers, server }) => server.parseCookie(headers.cookie ?? '')[name()],
    write: (reply, value, lifetimeMs) => set(reply, value, Math.floor(lifetimeMs / 1000)),
    clear: (reply) => set(reply, '', 0),
  }
}

function isNamed(cookie: string, name: string): boolean {
  return cookie.startsWith(`${name}=`)
}
