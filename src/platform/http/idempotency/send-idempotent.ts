import type { FastifyReply } from 'fastify'
import type { IdempotentAnswer } from '../../database/idempotency.ts'

/** Sends the response of a creation, with `Idempotency-Replayed` if an earlier request created it. */
export function sendIdempotent(reply: FastifyReply, answer: IdempotentAnswer): FastifyReply {
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  return reply.code(answer.status).send(answer.body)
}
