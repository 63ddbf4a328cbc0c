import type { FastifyReply } from 'fastify'
import { rateLimited } from '../../errors.ts'
import type { RateLimitState } from './rate-limit.ts'

/**
 * Writes the `RateLimit-*` headers.
 * @throws rateLimited with `Retry-After` if the limit is reached
 */
export function applyRateLimit(reply: FastifyReply, state: RateLimitState): void {
  reply.raw.setHeader('ratelimit-limit', state.limit)
  reply.raw.setHeader('ratelimit-remaining', state.remaining)
  reply.raw.setHeader('ratelimit-reset', state.resetSec)
  if (state.allowed) return
  throw rateLimited({
    detail: `More than ${state.limit} requests in one second; try again in ${state.resetSec} s.`,
    headers: { 'retry-after': String(Math.max(1, state.resetSec)) },
  })
}
