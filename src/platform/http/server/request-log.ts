import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../../logger.ts'
import type { HttpServer } from '../http-server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The hash of the token or key that the request was accepted with; empty before, and without one. */
    tokenHash: string
    /** The owner of the token or key of the request; null before it is accepted, and without one. */
    tokenOwner: { kind: 'event' | 'workspace'; id: string } | null
    /** Bytes that its connection had sent before the request, which is only counted for the log of requests. */
    sentBefore: number
  }
  interface FastifyReply {
    /** The code of the problem that this is; undefined for any other answer. */
    problemCode: string | undefined
  }
}

/** Characters of a token's hash that are its id in lists and commands. They open nothing. */
export const TOKEN_ID_LENGTH = 32

/**
 * Creates the function that writes a line for an answered request. The line has the pattern of the route and never the
 * address, which can be a capability: a share, an image, a signed upload. It is written whatever level the log has.
 */
export function createRequestLog(
  app: HttpServer,
  logger: Logger,
): (request: FastifyRequest, reply: FastifyReply, route: string) => void {
  const log = logger.child({}, { level: 'info' })
  app.addHook('onRequest', (request, _reply, done) => {
    request.sentBefore = request.raw.socket.bytesWritten
    done()
  })
  return (request, reply, route) => {
    const { id, method, ip, raw, tokenHash, operatorId, sentBefore } = request
    log.info(
      {
        reqId: id,
        method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
        // With the head, and as compressed as it was sent.
        bytes: raw.socket.bytesWritten - sentBefore,
        ip,
        operator: operatorId || undefined,
        token: tokenHash === '' ? undefined : tokenHash.slice(0, TOKEN_ID_LENGTH),
        code: reply.problemCode,
      },
      'request',
    )
  }
}
