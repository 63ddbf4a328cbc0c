import type { FastifyReply, FastifyRequest } from 'fastify'
import { type EventStream, openEventStream } from '#platform/http/streams/event-stream.ts'

/** Longest life of a stream. The page reconnects, which shows that its session is in use. */
export const LIFETIME_MS = 10 * 60_000

const EVENT_ID = /^\d{1,15}$/

/**
 * Opens a stream of events that show `subject`, a share or an event. `sinceMs` is the time up to which the client has
 * every change; undefined for a new client.
 */
export function openLiveStream(
  request: FastifyRequest,
  reply: FastifyReply,
  subject: string,
): { stream: EventStream; sinceMs: number | undefined } {
  const { last_event_id } = request.query as { last_event_id?: string }
  const lastEventId = request.headers['last-event-id'] ?? last_event_id
  const isKnown = typeof lastEventId === 'string' && EVENT_ID.test(lastEventId)
  const stream = openEventStream(request, reply, { service: 'tracks', subject })
  const timer = setTimeout(() => stream.end(), LIFETIME_MS).unref()
  stream.closed.addEventListener('abort', () => clearTimeout(timer))
  return { stream, sinceMs: isKnown ? Number(lastEventId) : undefined }
}
