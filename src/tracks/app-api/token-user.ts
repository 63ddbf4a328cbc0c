import type { FastifyRequest } from 'fastify'
import type { IdempotentRequest } from '#platform/database/idempotency.ts'
import type { FieldError } from '#platform/errors.ts'
import { idempotencyKeyOf } from '#platform/http/idempotency/idempotency-key.ts'
import type { TrackScope } from '../storage/track-scope.ts'

/**
 * Refuses a `user_id` that is not the one to whom the token is bound. Absent and null
 * are fine: the track gets that of the token.
 * @param path place of the field in the body
 */
export function foreignUserErrors({ userId }: TrackScope, given: unknown, path: string): FieldError[] {
  if (userId === null || given === undefined || given === null || given === userId) return []
  return [{ path, message: 'must be the user_id of the token, or absent' }]
}

/**
 * Returns what identifies a creation that may be repeated: its key, for the event and the person of the token, so that
 * nobody gets the answer to someone else. Names of endpoints have no colon, so the person's part begins at the first.
 */
export function trackCreationKey(
  request: FastifyRequest,
  endpoint: string,
  bodySha256?: string,
): IdempotentRequest | undefined {
  const { eventId, userId } = request.appToken
  return idempotencyKeyOf(request, eventId, userId === null ? endpoint : `${endpoint}:${userId}`, bodySha256)
}
