import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '../http-server.ts'
import { sendProblem } from '../problems/problem.ts'

type Answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown

/** By server: what answers addresses that begin with a path. */
const answersOf = new WeakMap<object, { path: string; answer: Answer }[]>()

/**
 * Has addresses below a path that are no addresses, such as `/p/%`, answered like the others there; they reach no route,
 * and so no error handler of one.
 */
export function answerMalformedBelow(app: HttpServer, path: string, answer: Answer): void {
  answersOf.set(app.server, [...(answersOf.get(app.server) ?? []), { path, answer }])
}

/** Answers a request that failed before it had a route. */
export function answerMalformed(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answers = answersOf.get(request.server.server) ?? []
  const { answer = sendProblem } = answers.find(({ path }) => request.url.startsWith(path)) ?? {}
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  answer(error, request, reply)
}
