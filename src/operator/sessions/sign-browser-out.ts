import type { FastifyReply } from 'fastify'
import type { HostCookie } from './host-cookie.ts'

/**
 * Deletes the cookie of a session that has ended, and lets the browser forget the pages and images that it keeps, so
 * that the next person at it cannot go back to them. Language, units and the cookie of a known browser stay.
 */
export function signBrowserOut(reply: FastifyReply, cookie: HostCookie): void {
  cookie.clear(reply)
  reply.header('clear-site-data', '"cache"')
}
