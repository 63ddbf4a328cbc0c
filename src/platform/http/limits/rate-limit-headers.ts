import type { FastifyReply } from 'fastify'
import { rateLimited } from '../../errors.ts'
import type { RateLimit, RateLimitState } from './rate-limit.ts'

/**
 * Counts a request of a caller and writes the `RateLimit-*` headers. Returns a promise only where a limit is being
 * divided among instances for the first time, so that a refusal may be wrong.
 * @throws rateLimited with `Retry-After` if the limit is reached
 */
export function countRequest(reply: FastifyReply, limit: RateLimit, caller: string): Promise<void> | undefined {
  const state = limit.take(caller)
  const settled = state.allowed ? undefined : limit.settled(caller)
  if (settled === undefined) {
    applyRateLimit(reply, state)
    return undefined
  }
  return settled.then(() => applyRateLimit(reply, limit.take(caller)))
}

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
