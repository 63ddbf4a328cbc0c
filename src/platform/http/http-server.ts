import type { Server } from 'node:http'
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
