import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { notFound } from '../basics/errors.ts'
import { deriveKey, isSameText, type Secrets } from '../basics/secrets.ts'
import type { HttpServer } from '../http/http-server.ts'

/** A request of the doctor as it arrived at the server. */
export type SeenRequest = {
  version: string
  /** Hash of the sources of the running build; undefined if it runs from sources. */
  build: string | undefined
  clockMs: number
  host: string | undefined
  /** The address of the connection. */
  peer: string
  isForwarded: boolean
  /** True if the peer is a trusted proxy, whose word on the client counts. */
  isTrusted: boolean
}

type DoctorRoutesOptions = { version: string; build: string | undefined; secrets: Secrets; now: () => number }

/** Time between the parts of the stream. A proxy that collects it delivers both at once. */
export const STREAM_PAUSE_MS = 1_000

/**
 * GET and POST /doctor/request, and GET /doctor/stream, for `admin doctor`: they show how requests reach the server
 * through proxies. They answer 404 without a ticket that was made with the secret of the installation. A body is not
 * read.
 */
export function doctorRoutes(app: HttpServer, { version, build, secrets, now }: DoctorRoutesOptions): void {
  const requireTicket = ({ headers }: FastifyRequest) => {
    if (!isDoctorTicket(headers[TICKET_HEADER], secrets, now())) throw notFound()
  }

  app.route({
    method: ['GET', 'POST'],
    url: '/doctor/request',
    schema: { hide: true },
    handler: async (request, reply) => {
      requireTicket(request)
      reply.header('cache-control', 'no-store')
      const { host, 'x-forwarded-for': forwarded } = request.headers
      const peer = request.socket.remoteAddress ?? ''
      return {
        version,
        build,
        clockMs: now(),
        host,
        peer,
        isForwarded: forwarded !== undefined,
        isTrusted: (request.ips?.length ?? 0) > 1,
      } satisfies SeenRequest
    },
  })

  app.get('/doctor/stream', { schema: { hide: true }, compress: false }, async (request, reply) => {
    requireTicket(request)
    return reply.header('cache-control', 'no-store').type('text/plain').send(Readable.from(twoParts()))
  })
}

async function* twoParts(): AsyncGenerator<string> {
  yield 'first\n'
  await wait(STREAM_PAUSE_MS)
  yield 'second\n'
}

/** Header by which the doctor shows that it has the secret of the installation. */
export const TICKET_HEADER = 'x-doctor'

/** Time that a ticket is valid, either way: clocks may differ, which the doctor reports. */
const VALID_MS = 15 * 60_000

/** Returns a ticket for requests of the doctor. */
export function doctorTicket([secret]: Secrets, nowMs: number): string {
  return `${nowMs}.${signatureOf(secret, String(nowMs))}`
}

/** Tells whether a header is a ticket that was made with one of the secrets, a short time ago. */
function isDoctorTicket(ticket: unknown, secrets: Secrets, nowMs: number): boolean {
  const [time, signature, ...others] = String(ticket).split('.')
  if (signature === undefined || others.length > 0 || !(Math.abs(nowMs - Number(time)) <= VALID_MS)) return false
  return secrets.some((secret) => isSameText(signature, signatureOf(secret, time)))
}

function signatureOf(secret: Buffer, time: string): string {
  return createHmac('sha256', deriveKey(secret, 'doctor')).update(time).digest('base64url')
}
