import type { Server } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression } from 'fastify'
import type { Logger } from '../logger.ts'

/** The server that routes are added to, with TypeBox schemas giving the types of requests. */
export type HttpServer = FastifyInstance<
  Server,
  RawRequestDefaultExpression<Server>,
  RawReplyDefaultExpression<Server>,
  Logger,
  TypeBoxTypeProvider
>
