import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Readable } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression } from 'fastify'
import Type, { type TSchema } from 'typebox'
import type { Logger } from '../basics/logger.ts'

/** The server that routes are added to, with TypeBox schemas giving the types of requests. */
export type HttpServer = FastifyInstance<
  Server,
  RawRequestDefaultExpression<Server>,
  RawReplyDefaultExpression<Server>,
  Logger,
  TypeBoxTypeProvider
>

/**
 * Header of every answer, by which a client on a phone knows that this server has answered, and not a captive portal
 * or a proxy on the way: some of those answer 204 to everything.
 */
export const SERVICE_HEADER = { name: 'Trackpress-Api', value: '1' }

/** `Cache-Control` of an address whose content never changes. */
export const FOREVER = 'public, max-age=31536000, immutable'

/** The schema of an answer without a body. */
export function noContent(description: string) {
  return Type.Unsafe<undefined>({ type: 'null', description })
}

/** The schema of an answer that its route sends as a stream of bytes; it describes the bytes and writes nothing. */
export function streamed(schema: TSchema) {
  return Type.Unsafe<Readable>(schema)
}

/**
 * Prepares a request before its route is chosen, and may change its `url`. Returns undefined if there is nothing to
 * wait for. A rejection is the answer to the request.
 */
export type BeforeRouting = (request: IncomingMessage) => Promise<void> | undefined

const failures = new WeakMap<IncomingMessage, unknown>()

/** Returns a listener that prepares each request before it is handled. */
export function routeAfter(prepare: BeforeRouting, handle: RequestListener): RequestListener {
  return (request, response) => {
    const preparing = prepare(request)
    if (preparing === undefined) return handle(request, response)
    void preparing.catch((error) => failures.set(request, error)).then(() => handle(request, response))
  }
}

/** Returns why a request could not be prepared; undefined if it was. */
export function preparingFailed(request: IncomingMessage): Error | undefined {
  return failures.get(request) as Error | undefined
}
