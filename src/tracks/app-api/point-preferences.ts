import type { FastifyReply, FastifyRequest } from 'fastify'
import { readPreferences } from '#platform/http/preferences.ts'
import type { Handling } from '../points/check-point.ts'

/** The wishes of a request with points, from its `Prefer` header (RFC 7240). */
type PointPreferences = {
  handling: Handling
  /** The answer is a receipt. */
  withReceipt: boolean
  /** Value of `Preference-Applied`; empty if nothing differs from a request without the header. */
  applied: string
}

const PLAIN: PointPreferences = { handling: 'strict', withReceipt: false, applied: '' }

/** Returns the wishes of a request. A lenient one gets a receipt, unless it asks for a minimal answer. */
export function pointPreferences({ headers }: FastifyRequest): PointPreferences {
  if (headers.prefer === undefined) return PLAIN
  const wishes = readPreferences(headers.prefer)
  const isLenient = wishes.get('handling') === 'lenient'
  const wanted = wishes.get('return')
  const applied = [
    ...(isLenient ? ['handling=lenient'] : []),
    ...(wanted === 'representation' || (isLenient && wanted === 'minimal') ? [`return=${wanted}`] : []),
  ]
  return {
    handling: isLenient ? 'lenient' : 'strict',
    withReceipt: wanted === 'representation' || (isLenient && wanted !== 'minimal'),
    applied: applied.join(', '),
  }
}

/** Names the wishes that an answer fulfils. */
export function namePreferences(reply: FastifyReply, { applied }: PointPreferences): void {
  if (applied !== '') reply.header('preference-applied', applied)
}
