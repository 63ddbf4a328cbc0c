import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from './http-server.ts'

/** An event as a page sees it: `data` arrives as JSON text; `id` comes back as Last-Event-ID after a broken connection. */
export type ServerEvent = { event?: string; id?: string; data: unknown }

/** A connection on which events are sent for as long as the client stays. */
export type EventStream = {
  /** Sends an event. Nothing happens once the stream is closed. */
  send(event: ServerEvent): void
  /** Sends what clients skip, to show that the connection lives. It is done regularly without being asked for, too. */
  comment(text?: string): void
  /** Ends it; the client comes again by itself unless it was told not to. */
  end(): void
  /** Aborted when the client has left, the server stops or `end` was called: nobody listens any more. */
  readonly closed: AbortSignal
}

/** Proxies and browsers give up on connections that are silent for a minute, or for half of one. */
const HEARTBEAT_MS = 15_000
/** What may wait for a client that does not read; it is let go then, and comes again when it can. */
const MAX_UNSENT_BYTES = 1_048_576
/** A client that lost its connection comes again after so long. */
const RETRY_MS = 2_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies of this kind would otherwise gather the events before they pass them on.
  'x-accel-buffering': 'no',
}

const openStreams = new WeakMap<object, Set<EventStream>>()

const streamed = new WeakSet<FastifyReply>()

/** Whether an answer is a stream of events, which lasts as long as the client stays. */
export function isEventStream(reply: FastifyReply): boolean {
  return streamed.has(reply)
}

/** Has a server end its event streams when it stops, as they would never end by themselves. */
export function endEventStreamsOnClose(app: HttpServer): void {
  const streams = new Set<EventStream>()
  openStreams.set(app.server, streams)
  app.addHook('preClose', (done) => {
    for (const stream of streams) stream.end()
    done()
  })
}

/**
 * Answers a request with a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * The answer is taken over from the framework: the route returns nothing after it, or `reply`, and throws no more.
 */
export function openEventStream(request: FastifyRequest, reply: FastifyReply): EventStream {
  const { raw } = reply
  const closing = new AbortController()
  const headers = { ...reply.getHeaders(), ...HEADERS }
  reply.hijack()
  streamed.add(reply)

  function write(text: string) {
    if (closing.signal.aborted) return
    raw.write(text)
    if (raw.writableLength > MAX_UNSENT_BYTES) raw.destroy()
  }

  const stream: EventStream = {
    closed: closing.signal,
    send: (event) => write(encodeEvent(event)),
    comment: (text = '') => write(`: ${text.replace(/[\r\n]+/g, ' ')}\n\n`),
    end() {
      closing.abort()
      raw.end()
    },
  }
  const heartbeat = setInterval(() => stream.comment(), HEARTBEAT_MS).unref()
  const streams = openStreams.get(request.server.server)
  streams?.add(stream)
  void once(raw, 'close')
    .catch(() => {})
    .then(() => {
      clearInterval(heartbeat)
      streams?.delete(stream)
      closing.abort()
    })
  raw.writeHead(200, headers as Record<string, string>)
  // A HEAD asks what a GET would be answered, not for events.
  if (request.method === 'HEAD') stream.end()
  else write(`retry: ${RETRY_MS}\n\n`)
  return stream
}

/** JSON holds no line breaks, so one line of data is always enough. @throws Error for a name or id of several lines */
function encodeEvent({ event, id, data }: ServerEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${JSON.stringify(data)}`,
  ]
  if (lines.some((line) => /[\r\n\0]/.test(line))) throw new Error('An event has a line break in its name or id')
  return `${lines.join('\n')}\n\n`
}
