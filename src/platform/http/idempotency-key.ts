import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidFields } from '../basics/errors.ts'
import type { IdempotentAnswer, IdempotentRequest } from '../database/idempotency.ts'

/** Longest value of the header. */
export const MAX_KEY_LENGTH = 255

/**
 * Returns the identity of a request that may be repeated, from its `Idempotency-Key`; undefined without one.
 * @param bodySha256 the digest of the body, if it is known already
 * @throws badRequest for an empty, too long or repeated key.
 */
export function idempotencyKeyOf(
  request: FastifyRequest,
  ownerId: string,
  endpoint: string,
  bodySha256?: string,
): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw invalidFields([
      { path: 'Idempotency-Key', message: `must be one header of 1 to ${MAX_KEY_LENGTH} characters` },
    ])
  }
  return { ownerId, endpoint, key, bodySha256: bodySha256 ?? hash('sha256', request.bodyBytes ?? '', 'hex') }
}

/** Sends the response of a creation, with `Idempotency-Replayed` if an earlier request created it. */
export function sendIdempotent(reply: FastifyReply, answer: IdempotentAnswer): FastifyReply {
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  return reply.code(answer.status).send(answer.body)
}
