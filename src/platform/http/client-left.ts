import type { FastifyReply } from 'fastify'
import { badRequest } from '../errors.ts'

/**
 * Returns a signal that aborts when the connection closes before the answer is sent, so that nothing is computed for a
 * client that has left. It also aborts after the answer.
 */
export function clientLeft({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  // Nobody reads this answer. It is a client's error, so that the log says nothing.
  const leave = () => leaving.abort(badRequest({ detail: 'The client left before the answer.' }))
  if (raw.destroyed || raw.closed) leave()
  else raw.once('close', leave)
  return leaving.signal
}
