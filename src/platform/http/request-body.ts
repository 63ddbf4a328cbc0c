import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { badRequest, payloadTooLarge, unsupportedMediaType } from '../basics/errors.ts'
import { ticking } from '../basics/timers.ts'
import {
  type BodyBudget,
  type BodyMemory,
  bodyTooSlow,
  endWatch,
  SMALL_BODY_BYTES,
  takeBodyBuffer,
  watchSpeed,
} from './body-limits.ts'
import type { HttpServer } from './http-server.ts'
import { type JsonLimits, parseJson } from './parse-json.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route receives the body as bytes and parses the JSON itself; they may be more than other routes accept. */
    rawJson?: { limitBytes: number }
  }
  interface FastifyRequest {
    /** The decoded bytes of the body; undefined without a body. */
    bodyBytes?: Buffer
  }
}

type JsonBodies = { limitBytes: number; limits?: JsonLimits; budget: BodyBudget; alsoAsText?: boolean }

/**
 * Makes the routes of this scope accept JSON bodies of at most `limitBytes` decoded, and no other type. With
 * `alsoAsText`, JSON with the type of plain text is accepted, too, which `navigator.sendBeacon` sends.
 */
export function acceptJsonBodies(
  app: HttpServer,
  { limitBytes, limits, budget, alsoAsText = false }: JsonBodies,
): void {
  // Some clients send a type without a body.
  app.addHook('onRequest', (request, _reply, done) => {
    if (isWithoutBody(request.raw.headers)) delete request.raw.headers['content-type']
    done()
  })
  app.removeAllContentTypeParsers()
  app.decorateRequest('bodyBytes', undefined)
  const types = alsoAsText ? ['application/json', 'text/plain'] : ['application/json']
  app.addContentTypeParser(types, async (request: FastifyRequest) => {
    const { rawJson } = request.routeOptions.config
    const bytes = await readRequestBody(request, rawJson?.limitBytes ?? limitBytes, budget)
    request.bodyBytes = bytes
    if (bytes.length === 0) return undefined
    return rawJson === undefined ? parseJson(bytes, limits) : bytes
  })
}

function isWithoutBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

/**
 * A compressed body may unfold to this many times its size, and to `FREE_DECODED_BYTES` more. Recorded points unfold by
 * 10:1; 10,000 points of a phone that never moves, by 140:1. Kilobytes that unfold to megabytes only cost the server
 * time.
 */
const MAX_COMPRESSION_RATIO = 100
const FREE_DECODED_BYTES = 1_048_576

/**
 * Refuses the request of a file early, before any of its body has arrived: one that is encoded, too large, or a part.
 * @param tooLarge makes the error of a body of more than `limitBytes`
 */
export function requireWholeFile(headers: IncomingHttpHeaders, limitBytes: number, tooLarge: () => Error): void {
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw unsupportedMediaType({ detail: 'Upload the file without Content-Encoding.' })
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge()
  // A part would be taken for the whole (RFC 9110, 14.5).
  if (headers['content-range'] !== undefined)
    throw badRequest({ detail: 'Upload the whole file, without Content-Range.' })
}

/**
 * Reads a whole body, decoded if it is compressed, into memory.
 * @throws payloadTooLarge as soon as the decoded bytes pass `limitBytes`, or 1 MiB and 100 times the compressed bytes,
 *   so that a decompression bomb is stopped early; unsupportedMediaType for an unknown Content-Encoding; badRequest for
 *   broken compression or a body that ends early; bodyTooSlow; for a large body, rateLimited when the client has its
 *   share of `budget`, and unavailable when it is used up.
 */
export async function readRequestBody(
  request: FastifyRequest,
  limitBytes: number,
  budget: BodyBudget,
): Promise<Buffer> {
  const { headers } = request.raw
  try {
    const decoder = decoderFor(headers['content-encoding'])
    const length = Number(headers['content-length'] ?? 0)
    if (decoder === undefined && length > limitBytes) throw tooLarge(limitBytes)
    return await collect(request, decoder, limitBytes, budget)
  } catch (error) {
    await drainBody(request.raw, error)
    throw error
  }
}

/** Content codings are case-insensitive (RFC 9110, 8.4.1). */
function decoderFor(header: string | undefined): Decoder | undefined {
  const encoding = header?.toLowerCase()
  if (encoding === undefined || encoding === '' || encoding === 'identity') return undefined
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'zstd') return createZstdDecompress()
  throw unsupportedMediaType({
    detail: 'Content-Encoding must be gzip or zstd, or absent.',
    headers: { 'accept-encoding': 'gzip, zstd' },
  })
}

function tooLarge(limitBytes: number) {
  const shown = limitBytes >= 1_048_576 ? `${limitBytes / 1_048_576} MiB` : `${limitBytes} bytes`
  return payloadTooLarge({ detail: `The decoded body is larger than ${shown}.` })
}

type Decoder = ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>

/** Tells whether a body unfolds too much. `bytesWritten` counts the input that the decoder has consumed. */
function isBomb(decoder: Decoder | undefined, decodedBytes: number): boolean {
  if (decoder === undefined) return false
  return decodedBytes > FREE_DECODED_BYTES + MAX_COMPRESSION_RATIO * decoder.bytesWritten
}

function unfoldsTooMuch() {
  return payloadTooLarge({
    detail: `The body unfolds by more than ${MAX_COMPRESSION_RATIO}:1 above ${FREE_DECODED_BYTES / 1_048_576} MiB.`,
  })
}

function collect(
  request: FastifyRequest,
  decoder: Decoder | undefined,
  limitBytes: number,
  budget: BodyBudget,
): Promise<Buffer> {
  const { raw } = request
  return new Promise((resolve, reject) => {
    const source: Readable = decoder === undefined ? raw : raw.pipe(decoder)
    const body = createBodyBuffer(decoder === undefined ? Number(raw.headers['content-length'] ?? 0) : 0)
    let bytes = 0
    let memory: BodyMemory | undefined

    const settle = (finish: () => void) => {
      endWatch(watch)
      source.removeListener('data', onData)
      raw.removeListener('close', onClose)
      memory?.release()
      finish()
    }
    const fail = (error: unknown) =>
      settle(() => {
        source.on('error', () => {})
        if (decoder !== undefined) {
          raw.unpipe(decoder)
          decoder.destroy()
        }
        reject(error)
      })
    const onData = (chunk: Buffer) => {
      try {
        bytes += chunk.length
        if (bytes > limitBytes) throw tooLarge(limitBytes)
        if (isBomb(decoder, bytes)) throw unfoldsTooMuch()
        if (bytes > SMALL_BODY_BYTES) {
          memory ??= budget.open(request)
          memory.growTo(bytes)
        }
        body.add(chunk)
      } catch (error) {
        fail(error)
      }
    }
    const onClose = () => {
      if (!raw.complete) fail(badRequest({ detail: 'The body ended before it was complete.' }))
    }
    const watch = watchSpeed(raw, fail)

    source.on('data', onData)
    source.once('end', () => settle(() => resolve(body.whole())))
    source.once('error', (cause) => fail(decoder === undefined ? badRequest({ cause }) : badCompression(cause)))
    raw.once('close', onClose)
  })
}

/** Sizes of a growing buffer. The largest one is 64 MiB, the largest limit, and copies of at most 16 MiB lead to it. */
const FIRST_ROOM_BYTES = 262_144
const ROOM_GROWTH = 4

/**
 * Collects a body. Joining all chunks at the end would hold the thread for 50 ms, and such external memory triggers the
 * garbage collector. So a large body gets one buffer: of its announced length if that can be reused, as soon as so much
 * has arrived that the length is more than a claim, and otherwise one that grows.
 */
function createBodyBuffer(announcedBytes: number) {
  let buffer: Buffer | undefined
  const pieces: Buffer[] = []
  let filled = 0
  return {
    add(piece: Buffer): void {
      const start = filled
      filled += piece.length
      if (buffer !== undefined) {
        buffer = withRoom(buffer, start, filled)
        piece.copy(buffer, start)
        return
      }
      pieces.push(piece)
      if (filled <= SMALL_BODY_BYTES) return
      buffer = takeBodyBuffer(announcedBytes) ?? allocateRoom(filled)
      fill(buffer, pieces.splice(0))
    },
    whole(): Buffer {
      if (buffer !== undefined) return buffer.subarray(0, filled)
      return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
    },
  }
}

/** Returns a buffer with the same beginning and room for so many bytes. */
function withRoom(buffer: Buffer, filled: number, bytes: number): Buffer {
  if (bytes <= buffer.length) return buffer
  const larger = allocateRoom(bytes)
  buffer.copy(larger, 0, 0, filled)
  return larger
}

/** Returns a buffer with room to grow into. Memory costs nothing until it is written to. */
function allocateRoom(bytes: number): Buffer {
  let room = FIRST_ROOM_BYTES
  while (room < bytes) room *= ROOM_GROWTH
  return Buffer.allocUnsafeSlow(room)
}

function fill(buffer: Buffer, pieces: readonly Buffer[]): void {
  let filled = 0
  for (const piece of pieces) filled += piece.copy(buffer, filled)
}

function badCompression(cause: Error) {
  return badRequest({ cause, detail: 'The body is not what its Content-Encoding says, or it is cut off.' })
}

/** Maximum bytes and time for discarding a body that nobody reads, after which the connection is closed. */
const DRAIN_LIMIT_BYTES = 256 * 1_048_576
const DRAIN_TIME_LIMIT_MS = 30_000
/** Interval at which both limits are enforced. */
const CHECK_EVERY_MS = 250
/**
 * Time that the response waits for the body. A client that asked to close the connection after the response would be
 * cut off while it is sending, and never see the response. Most bodies have arrived by then.
 */
const ANSWER_WITHIN_MS = 500

const discarded = new WeakSet<IncomingMessage>()

/**
 * Reads and discards the rest of a body that was refused with `error`, within limits, so that a client that is still
 * sending sees the response. Closing the connection at once would reset it. Resolves when it is
 * time to respond; the rest is read meanwhile.
 */
export async function drainBody(request: IncomingMessage, error: unknown): Promise<void> {
  // Nothing to wait for if the body is complete or the connection closed, or nothing arrives anyway.
  if (request.closed || request.complete || bodyTooSlow.is(error)) return
  limitUnreadBody(request)
  request.resume()
  await new Promise<void>((resolve) => {
    const answer = setTimeout(resolve, ANSWER_WITHIN_MS).unref()
    for (const over of ['end', 'close', 'error']) {
      request.once(over, () => {
        clearTimeout(answer)
        resolve()
      })
    }
  })
}

/**
 * Closes the connection of a request if the rest of its body does not end within the limits. To be called for a
 * response that did not wait for the body: Node.js would go on discarding it for as long as bytes arrive.
 */
export function limitUnreadBody(request: IncomingMessage): void {
  if (request.closed || discarded.has(request)) return
  discarded.add(request)
  const { socket } = request
  const bytesBefore = socket.bytesRead
  const startedAtMs = performance.now()
  const stop = ticking(CHECK_EVERY_MS, () => {
    const isOver = request.complete || socket.destroyed
    const isTooMuch = socket.bytesRead - bytesBefore > DRAIN_LIMIT_BYTES
    const isTooLong = performance.now() - startedAtMs > DRAIN_TIME_LIMIT_MS
    if (!isOver && (isTooMuch || isTooLong)) socket.destroy()
    if (isOver || isTooMuch || isTooLong) stop()
  })
}
