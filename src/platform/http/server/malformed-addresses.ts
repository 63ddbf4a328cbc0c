import type { FastifyReply, FastifyRequest } from 'fastify'
import { limitUnreadBody } from '../bodies/drain-body.ts'
import type { HttpServer } from '../http-server.ts'
import { sendProblem } from '../problems/problem.ts'
import { SERVICE_HEADER } from '../service-header.ts'

type Answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown

/** Functions of each server that answer malformed addresses below a path. */
const answersOf = new WeakMap<object, { path: string; answer: Answer }[]>()

/**
 * Registers a function that answers malformed addresses below a path, such as `/p/%`. They reach no route, and so no
 * error handler of a route.
 */
export function answerMalformedBelow(app: HttpServer, path: string, answer: Answer): void {
  answersOf.set(app.server, [...(answersOf.get(app.server) ?? []), { path, answer }])
}

/** Answers a request that failed before it had a route. */
export function answerMalformed(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // No hook runs after this response.
  if (!request.raw.complete) limitUnreadBody(request.raw)
  const answers = answersOf.get(request.server.server) ?? []
  const { answer = sendProblem } = answers.find(({ path }) => request.url.startsWith(path)) ?? {}
  reply.header('x-request-id', request.id)
  reply.header(SERVICE_HEADER.name, SERVICE_HEADER.value)
  reply.header('x-content-type-options', 'nosniff')
  answer(error, request, reply)
}
