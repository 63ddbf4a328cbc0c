import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { countRequest } from '#platform/http/limits/rate-limit-headers.ts'

/** Requests of one address in a second: an office may share it, and nobody clicks faster. */
const PER_ADDRESS = 20
/** For the provider, which may end the sessions of everybody at once. */
export const PROVIDER_PER_SECOND = 200

/** Returns a hook that limits how fast one address can make requests that concern the provider. */
export function limitVisits(perAddress = PER_ADDRESS): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const visits = new RateLimit(perAddress)
  return async (request, reply) => {
    await countRequest(reply, visits, addressGroup(request.ip))
  }
}
