import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rateLimited, unavailable } from '../../errors.ts'
import type { HttpServer } from '../http-server.ts'
import { addressGroup } from '../limits/client-address.ts'
import { HeldConnections, type HoldLimits } from '../server/connection-limit.ts'
import { type EncodedEvents, encodeEvents, type ServerEvent } from './encode-events.ts'

/** A connection on which events are sent for as long as the client stays. */
export type EventStream = {
  /** Sends an event, or what was encoded once for many streams. Nothing happens once the stream is closed. */
  send(event: ServerEvent | EncodedEvents): void
  /** Sends what clients skip, to show that the connection lives. It is done regularly without being asked for, too. */
  comment(text?: string): void
  /** Where much waits for the client: resolves when it has read that, or the stream is closed. Undefined elsewhere. */
  drained(): Promise<void> | undefined
  /** Ends it; the client comes again by itself unless it was told not to. */
  end(): void
  /** Aborted when the client has left, the server stops or `end` was called: nobody listens any more. */
  readonly closed: AbortSignal
}

/** Proxies and browsers give up on connections that are silent for a minute, or for half of one. */
const HEARTBEAT_MS = 15_000
/** What may wait for a client that does not read; it is let go then, and comes again when it can. */
const MAX_UNSENT_BYTES = 1_048_576
/** Who has more to send than this lets a client read first. */
const MUCH_UNSENT_BYTES = MAX_UNSENT_BYTES / 4
/** A client that lost its connection comes again after so long. */
const RETRY_MS = 2_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies of this kind would otherwise gather the events before they pass them on.
  'x-accel-buffering': 'no',
}

/** How many streams there may be where nothing else is set: a stadium behind one address, and what memory is good for. */
export const STREAM_LIMITS: HoldLimits = { total: 5_000, perCaller: 200 }
/** A page that is refused one may ask again after so long. */
const REFUSED_FOR_SEC = 10

/** The open streams of a server, and the places for them. */
type ServerStreams = { open: Set<EventStream>; places: HeldConnections }

const streamsOf = new WeakMap<object, ServerStreams>()
const takers = new WeakMap<FastifyRequest, (stream: EventStream) => void>()
const streamed = new WeakSet<FastifyReply>()

/** Whether an answer is a stream of events, which lasts as long as the client stays. */
export function isEventStream(reply: FastifyReply): boolean {
  return streamed.has(reply)
}

/** Limits how many event streams a server has, and has it end them when it stops, as they would never end by themselves. */
export function keepEventStreams(app: HttpServer, limits: HoldLimits = STREAM_LIMITS): void {
  const streams = { open: new Set<EventStream>(), places: new HeldConnections(limits) }
  streamsOf.set(app.server, streams)
  app.addHook('preClose', (done) => {
    for (const stream of streams.open) stream.end()
    done()
  })
}

/** Hands over the stream by which a request may come to be answered: to who ends it when it may last no longer. */
export function onEventStream(request: FastifyRequest, take: (stream: EventStream) => void): void {
  takers.set(request, take)
}

/**
 * Answers a request with a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * The answer is taken over from the framework: the route returns nothing after it, or `reply`, and throws no more.
 * @throws rateLimited, unavailable where the client, or all together, have as many open as they may
 */
export function openEventStream(request: FastifyRequest, reply: FastifyReply): EventStream {
  const { raw } = reply
  const closing = new AbortController()
  const leave = takePlace(request)
  const headers = { ...reply.getHeaders(), ...HEADERS }
  reply.hijack()
  streamed.add(reply)

  function write(chunk: string | Buffer) {
    if (closing.signal.aborted) return
    raw.write(chunk)
    if (raw.writableLength > MAX_UNSENT_BYTES) raw.destroy()
  }

  const stream: EventStream = {
    closed: closing.signal,
    send: (event) => write('bytes' in event ? event.bytes : encodeEvents([event]).bytes),
    comment: (text = '') => write(`: ${text.replace(/[\r\n]+/g, ' ')}\n\n`),
    drained() {
      const isMuch = raw.writableNeedDrain && raw.writableLength > MUCH_UNSENT_BYTES
      if (closing.signal.aborted || !isMuch) return undefined
      return once(raw, 'drain', { signal: closing.signal }).then(
        () => {},
        () => {},
      )
    },
    end() {
      closing.abort()
      raw.end()
    },
  }
  const heartbeat = setInterval(() => stream.comment(), HEARTBEAT_MS).unref()
  const open = streamsOf.get(request.server.server)?.open
  open?.add(stream)
  void once(raw, 'close')
    .catch(() => {})
    .then(() => {
      clearInterval(heartbeat)
      open?.delete(stream)
      leave()
      closing.abort()
    })
  raw.writeHead(200, headers as Record<string, string>)
  // A HEAD asks what a GET would be answered, not for events.
  if (request.method === 'HEAD') stream.end()
  else write(`retry: ${RETRY_MS}\n\n`)
  takers.get(request)?.(stream)
  return stream
}

/** @returns the function that gives the place back. */
function takePlace({ server, ip }: FastifyRequest): () => void {
  const places = streamsOf.get(server.server)?.places
  if (places === undefined) return () => {}
  const leave = places.hold(addressGroup(ip))
  if (leave !== undefined) return leave
  const headers = { 'retry-after': String(REFUSED_FOR_SEC) }
  throw places.isFull
    ? unavailable({ detail: 'As many live streams are open as the server takes; try again later.', headers })
    : rateLimited({ detail: 'Too many live streams are open from this address; try again later.', headers })
}
