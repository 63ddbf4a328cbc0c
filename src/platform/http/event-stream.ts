import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, deflateRaw, deflateRawSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ticking } from '../basics/timers.ts'
import { endRequestSpan } from '../tracing/request-span.ts'
import { addressGroup } from './client.ts'
import { type ConnectionLimits, StreamLimits, type StreamTopic } from './connection-limit.ts'
import type { HttpServer } from './http-server.ts'
import { preferredEncoding } from './negotiation.ts'
import type { SharedLimit } from './shared-limit.ts'

/** A response that sends events for as long as the client stays. */
export type EventStream = {
  /** Sends an event, or events that were encoded once for many streams. Does nothing once the stream is closed. */
  send(event: ServerEvent | EncodedEvents): void
  /** Sends a comment, which clients skip, to keep the connection alive. Also sent regularly by the stream. */
  comment(text?: string): void
  /**
   * Resolves when a slow client has read its pending messages, or the stream is closed. Undefined if little is unread.
   */
  drained(): Promise<void> | undefined
  /** Ends the stream. The client reconnects unless an event told it not to. */
  end(): void
  /** Aborted when the client has left, the server stops or `end` was called. */
  readonly closed: AbortSignal
  /** Calls back once the stream is closed, also if it is already. Takes less memory than a listener of `closed`. */
  onClose(leave: () => void): void
}

/** Proxies and browsers close connections that are silent for 30 to 60 seconds. */
const HEARTBEAT_MS = 15_000
/** Streams are looked after in turns, some at a time, so that thousands of heartbeats are not one long task. */
const TURN_MS = 250
const TURNS = HEARTBEAT_MS / TURN_MS
/** A stream that has sent something within this time needs no heartbeat. */
const RECENT_MS = 4_000
/** Maximum unread bytes of a client. Beyond that it is disconnected, and reconnects when it can. */
const MAX_UNSENT_BYTES = 1_048_576
/** Unread bytes from which senders of much data wait for the client. */
const SLOW_READER_BYTES = MAX_UNSENT_BYTES / 4
/** Heartbeats after which a client with unread bytes that has read nothing is disconnected. */
const MAX_UNREAD_HEARTBEATS = 4
/** Time after which a client that lost its connection reconnects. */
const RETRY_MS = 2_000

/** The same bytes for all streams, which are compressed once. */
const HEARTBEAT = Buffer.from(': \n\n')
const RETRY = Buffer.from(`retry: ${RETRY_MS}\n\n`)

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  vary: 'Accept-Encoding',
  // Otherwise nginx buffers the events.
  'x-accel-buffering': 'no',
}

/** Default limits of one service: a stadium behind one address, and the memory of a small server. */
const STREAM_LIMITS: ConnectionLimits = { total: 5_000, perCaller: 200 }

/** The open streams of a server, and their limits. */
type ServerStreams = { open: OpenStreams; limits: StreamLimits }

const streamsOf = new WeakMap<object, ServerStreams>()
const takers = new WeakMap<FastifyRequest, (stream: EventStream) => void>()
const streamed = new WeakSet<FastifyReply>()

/** Tells whether a response is an event stream, which lasts as long as the client stays. */
export function isEventStream(reply: FastifyReply): boolean {
  return streamed.has(reply)
}

/** Limits the event streams of each service of a server, and ends them when it stops. */
export function keepEventStreams(app: HttpServer, limits: ConnectionLimits = STREAM_LIMITS): void {
  const streams = { open: new OpenStreams(), limits: new StreamLimits(limits) }
  streamsOf.set(app.server, streams)
  app.addHook('preClose', (done) => {
    streams.open.endAll()
    done()
  })
}

/** Returns the numbers of open event streams by service and kind of client. */
export function countEventStreams(app: HttpServer): ReturnType<StreamLimits['counts']> {
  return streamsOf.get(app.server)?.limits.counts() ?? []
}

/** Divides the limit of the public streams of each client among the instances. */
export function shareEventStreams(app: HttpServer, shared: SharedLimit): void {
  streamsOf.get(app.server)?.limits.share(shared)
}

/** Calls `take` with the event stream of a request, if one is opened, so that the caller can end it. */
export function onEventStream(request: FastifyRequest, take: (stream: EventStream) => void): void {
  takers.set(request, take)
}

/**
 * Answers a request with a stream of server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). Takes the response over from the framework:
 * afterwards the route returns nothing or `reply`, and must not throw. `topic` says where the stream counts. After
 * `lifetimeMs`, or some seconds later, the stream ends.
 * @throws rateLimited, unavailable if the limit of the client, of the topic or of the service is reached
 */
export function openEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  topic: StreamTopic,
  lifetimeMs = Number.POSITIVE_INFINITY,
): EventStream {
  const { raw } = reply
  const release = holdStream(request, topic)
  const isCompressed = preferredEncoding(request.headers['accept-encoding'], ['gzip']) !== undefined
  const headers = { ...reply.getHeaders(), ...HEADERS, ...(isCompressed && { 'content-encoding': 'gzip' }) }
  reply.hijack()
  streamed.add(reply)
  // The stream lasts as long as its connection. Chunks would only make two more pieces of each event.
  raw.removeHeader('transfer-encoding')
  raw.writeHead(200, headers as Record<string, string>)
  flatten(raw)
  const stream = new ServerStream(raw, isCompressed, performance.now() + lifetimeMs)
  const leave = streamsOf.get(request.server.server)?.open.add(stream)
  raw.on('close', () => {
    leave?.()
    release()
    stream.close()
  })
  endRequestSpan(request, 200)
  // HEAD gets the headers of GET, but no events.
  if (request.method === 'HEAD') stream.end()
  else stream.begin()
  takers.get(request)?.(stream)
  return stream
}

/**
 * Makes one text of the head of an answer, which Node.js keeps as long as the connection: it is put together from some
 * fifty pieces, two kilobytes. Reading a character joins them.
 */
function flatten(raw: ServerResponse): void {
  ;(raw as { _header?: string | null })._header?.charCodeAt(0)
}

/** A stream. There may be many thousands, so that it is one object without timers and promises of its own. */
class ServerStream implements EventStream {
  readonly #raw: ServerResponse
  readonly #isCompressed: boolean
  readonly #endsAtMs: number
  #isClosed = false
  #closing: AbortController | undefined
  #leaves: (() => void)[] | undefined
  #sentAtMs = 0
  #readBytes = 0
  #unreadTurns = 0

  constructor(raw: ServerResponse, isCompressed: boolean, endsAtMs: number) {
    this.#raw = raw
    this.#isCompressed = isCompressed
    this.#endsAtMs = endsAtMs
  }

  get closed(): AbortSignal {
    this.#closing ??= new AbortController()
    if (this.#isClosed) this.#closing.abort()
    return this.#closing.signal
  }

  onClose(leave: () => void): void {
    if (this.#isClosed) leave()
    else if (this.#leaves === undefined) this.#leaves = [leave]
    else this.#leaves.push(leave)
  }

  begin(): void {
    if (this.#isCompressed) this.#raw.write(GZIP_START)
    this.#write(RETRY)
  }

  send(event: ServerEvent | EncodedEvents): void {
    this.#write('bytes' in event ? event.bytes : encodeEvents([event]).bytes)
  }

  comment(text = ''): void {
    this.#write(text === '' ? HEARTBEAT : Buffer.from(`: ${text.replace(/[\r\n]+/g, ' ')}\n\n`))
  }

  drained(): Promise<void> | undefined {
    const raw = this.#raw
    const isMuch = raw.writableNeedDrain && raw.writableLength > SLOW_READER_BYTES
    if (this.#isClosed || !isMuch) return undefined
    return once(raw, 'drain', { signal: this.closed }).then(
      () => {},
      () => {},
    )
  }

  end(): void {
    this.close()
    this.#raw.end()
  }

  /** Tells the senders of the stream that it is closed. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const leaves = this.#leaves ?? []
    this.#leaves = undefined
    for (const leave of leaves) leave()
    this.#closing?.abort()
  }

  /** Keeps the stream alive, and ends it after its life, or if its client has stopped reading. */
  lookAfter(nowMs: number): void {
    if (nowMs >= this.#endsAtMs) this.end()
    else if (this.#countUnread() >= MAX_UNREAD_HEARTBEATS) this.#raw.destroy()
    else if (nowMs - this.#sentAtMs > RECENT_MS) this.comment()
  }

  #write(chunk: Buffer): void {
    if (this.#isClosed) return
    this.#sentAtMs = performance.now()
    this.#raw.write(this.#isCompressed ? compressPart(chunk) : chunk)
    if (this.#raw.writableLength > MAX_UNSENT_BYTES) this.#raw.destroy()
  }

  /**
   * Counts its calls since a client with unread bytes has last read something. Heartbeats keep the connection from
   * being idle, so a client that never reads would hold its unread bytes until the network gives it up.
   */
  #countUnread(): number {
    const { writableLength: unreadBytes = 0, bytesWritten = 0 } = this.#raw.socket ?? {}
    const readNow = bytesWritten - unreadBytes
    this.#unreadTurns = unreadBytes > 0 && readNow === this.#readBytes ? this.#unreadTurns + 1 : 0
    this.#readBytes = readNow
    return this.#unreadTurns
  }
}

/** The open streams of a server, each looked after once in the interval of heartbeats. */
class OpenStreams {
  readonly #turns = Array.from({ length: TURNS }, () => new Set<ServerStream>())
  #count = 0
  #turn = 0
  #stop: (() => void) | undefined

  /** Adds a stream, to be looked after for the first time as late as possible. @returns the function that removes it */
  add(stream: ServerStream): () => void {
    const streams = this.#turns[this.#turn]
    streams.add(stream)
    this.#count++
    this.#stop ??= ticking(TURN_MS, () => this.#lookAfterSome())
    return () => {
      if (!streams.delete(stream) || --this.#count > 0) return
      this.#stop?.()
      this.#stop = undefined
    }
  }

  endAll(): void {
    for (const streams of this.#turns) for (const stream of streams) stream.end()
  }

  #lookAfterSome(): void {
    this.#turn = (this.#turn + 1) % TURNS
    const nowMs = performance.now()
    for (const stream of this.#turns[this.#turn]) stream.lookAfter(nowMs)
  }
}

/** @returns the function that releases the stream. */
function holdStream({ server, ip, operatorId }: FastifyRequest, topic: StreamTopic): () => void {
  const limits = streamsOf.get(server.server)?.limits
  // Empty outside of the scopes for operators, and not defined where no dashboard runs.
  return limits?.hold(topic, { address: addressGroup(ip), operatorId: operatorId || undefined }) ?? (() => {})
}

/** An event for a page. `data` is sent as JSON. The client returns `id` as Last-Event-ID when it reconnects. */
export type ServerEvent = { event?: string; id?: string; data: unknown }

/** Events encoded once for any number of streams. */
export type EncodedEvents = { readonly bytes: Buffer }

/**
 * Encodes server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * @throws Error if a name or id has several lines
 */
export function encodeEvents(events: readonly ServerEvent[]): EncodedEvents {
  return { bytes: Buffer.from(events.map(encodeEvent).join('')) }
}

/** Encodes one event. JSON has no line breaks, so one line of data is always enough. */
function encodeEvent({ event, id, data }: ServerEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${JSON.stringify(data)}`,
  ]
  if (lines.some((line) => /[\r\n\0]/.test(line))) throw new Error('An event has a line break in its name or id')
  return `${lines.join('\n')}\n\n`
}

/** The start of every gzip stream (RFC 1952, 2.3.1): deflate, without a name or time. */
const GZIP_START = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** The fastest level makes events a fifth; the best would take three times as long for a tenth less. */
const OPTIONS = { level: 1, finishFlush: constants.Z_SYNC_FLUSH }
/** Of events for very many streams, each byte counts. */
const AHEAD_OPTIONS = { ...OPTIONS, level: 6 }

const compressed = new WeakMap<Buffer, Buffer>()

/**
 * Compresses bytes as a part of a gzip stream: blocks of deflate (RFC 1951) that refer to nothing before them and end
 * on a byte. Parts can follow each other in any stream, so that a message to thousands of viewers is compressed once. A
 * stream has no end and so no checksum: it is broken off.
 */
export function compressPart(bytes: Buffer): Buffer {
  const known = compressed.get(bytes)
  if (known !== undefined) return known
  // By default, zlib makes room for 16 KiB, which takes longer than to compress a few bytes.
  const chunkSize = Math.min(constants.Z_DEFAULT_CHUNK, Math.max(constants.Z_MIN_CHUNK, bytes.length))
  const part = deflateRawSync(bytes, { ...OPTIONS, chunkSize })
  compressed.set(bytes, part)
  return part
}

/** Compresses events before they are sent to very many streams: in another thread, and better than usual. */
export async function compressAhead({ bytes }: EncodedEvents): Promise<void> {
  if (compressed.has(bytes)) return
  compressed.set(bytes, await promisify(deflateRaw)(bytes, AHEAD_OPTIONS))
}
