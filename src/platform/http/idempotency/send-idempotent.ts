import type { FastifyReply } from 'fastify'
import type { OnceAnswer } from '../../database/idempotency.ts'

/** Sends the answer of a creation, and says so where it is that of an earlier request. */
export function sendOnce(reply: FastifyReply, answer: OnceAnswer): FastifyReply {
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  return reply.code(answer.status).send(answer.body)
}
