import type { FastifyReply, FastifyRequest } from 'fastify'
import { type EventStream, openEventStream } from '#platform/http/streams/event-stream.ts'

/** A stream ends after so long, and the page comes again by itself, which shows that its session is in use. */
export const LIFETIME_MS = 10 * 60_000

const EVENT_ID = /^\d{1,15}$/

/** Opens a stream of events, and tells up to when the client knows all; undefined where it comes for the first time. */
export function openLiveStream(
  request: FastifyRequest,
  reply: FastifyReply,
): { stream: EventStream; sinceMs: number | undefined } {
  const { last_event_id } = request.query as { last_event_id?: string }
  const lastEventId = request.headers['last-event-id'] ?? last_event_id
  const isKnown = typeof lastEventId === 'string' && EVENT_ID.test(lastEventId)
  const stream = openEventStream(request, reply)
  const timer = setTimeout(() => stream.end(), LIFETIME_MS).unref()
  stream.closed.addEventListener('abort', () => clearTimeout(timer))
  return { stream, sinceMs: isKnown ? Number(lastEventId) : undefined }
}
