import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { badRequest, defineError, payloadTooLarge, unavailable, unsupportedMediaType } from '../../errors.ts'
import { takeBodyBuffer } from './body-buffer-pool.ts'
import { drainBody } from './drain-body.ts'

export const bodyTooSlow = defineError('REQUEST_TIMEOUT', 408, 'The body did not arrive in time.')

/** Time limit for a whole JSON body. A phone on a bad network needs seconds; a slow-body attack never ends. */
const BODY_TIME_LIMIT_MS = 300_000

/**
 * A compressed body may unfold to this many times its size, and to `FREE_DECODED_BYTES` more. Recorded points unfold by
 * 10:1; 10,000 points of a phone that never moves, by 140:1. Kilobytes that unfold to megabytes only cost the server time.
 */
const MAX_COMPRESSION_RATIO = 100
const FREE_DECODED_BYTES = 1_048_576

/** Limits the memory of all bodies that are being received. Beyond the limit, requests get 503 at once. */
export class BodyBudget {
  readonly #limitBytes: number
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  take(bytes: number): void {
    if (this.#usedBytes + bytes > this.#limitBytes) {
      throw unavailable({
        detail: 'Too many large bodies are being received at once; try again shortly.',
        headers: { 'retry-after': '1' },
      })
    }
    this.#usedBytes += bytes
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes
  }
}

/**
 * Reads a whole body, decoded if it is compressed, into memory.
 * @throws payloadTooLarge as soon as the decoded bytes pass `limitBytes`, or 1 MiB and 100 times the compressed bytes, so
 *   that a decompression bomb is stopped early; unsupportedMediaType for an unknown Content-Encoding; badRequest for broken compression or a body that ends early;
 *   bodyTooSlow; unavailable when `budget` is used up.
 */
export async function readRequestBody(
  request: IncomingMessage,
  limitBytes: number,
  budget: BodyBudget,
): Promise<Buffer> {
  try {
    const decoder = decoderFor(request.headers['content-encoding'])
    const length = Number(request.headers['content-length'] ?? 0)
    if (decoder === undefined && length > limitBytes) throw tooLarge(limitBytes)
    return await collect(request, decoder, limitBytes, budget)
  } catch (error) {
    await drainBody(request)
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

/** Tells whether a body unfolds too much. `bytesWritten` counts what the decoder has consumed, not what it was given. */
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
  request: IncomingMessage,
  decoder: Decoder | undefined,
  limitBytes: number,
  budget: BodyBudget,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const source: Readable = decoder === undefined ? request : request.pipe(decoder)
    const body = createBodyBuffer(decoder === undefined ? Number(request.headers['content-length'] ?? 0) : 0)
    let bytes = 0

    const settle = (finish: () => void) => {
      clearTimeout(timer)
      source.removeListener('data', onData)
      request.removeListener('close', onClose)
      budget.release(bytes)
      finish()
    }
    const fail = (error: unknown) =>
      settle(() => {
        source.on('error', () => {})
        if (decoder !== undefined) {
          request.unpipe(decoder)
          decoder.destroy()
        }
        reject(error)
      })
    const onData = (chunk: Buffer) => {
      try {
        if (bytes + chunk.length > limitBytes) throw tooLarge(limitBytes)
        if (isBomb(decoder, bytes + chunk.length)) throw unfoldsTooMuch()
        budget.take(chunk.length)
        bytes += chunk.length
        body.add(chunk)
      } catch (error) {
        fail(error)
      }
    }
    const onClose = () => {
      if (!request.complete) fail(badRequest({ detail: 'The body ended before it was complete.' }))
    }
    const timer = setTimeout(() => fail(bodyTooSlow()), BODY_TIME_LIMIT_MS)

    source.on('data', onData)
    source.once('end', () => settle(() => resolve(body.whole())))
    source.once('error', (cause) => fail(decoder === undefined ? badRequest({ cause }) : badCompression(cause)))
    request.once('close', onClose)
  })
}

/**
 * Collects a body. Joining chunks at the end would take their size twice, and such external memory is what triggers the
 * garbage collector. So a large body of known length gets one buffer at once.
 */
function createBodyBuffer(announcedBytes: number) {
  const pooled = takeBodyBuffer(announcedBytes)
  const pieces: Buffer[] = []
  let filled = 0
  return {
    add(piece: Buffer): void {
      if (pooled === undefined) pieces.push(piece)
      else filled += piece.copy(pooled, filled)
    },
    whole(): Buffer {
      if (pooled !== undefined) return pooled.subarray(0, filled)
      return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
    },
  }
}

function badCompression(cause: Error) {
  return badRequest({ cause, detail: 'The body is not what its Content-Encoding says, or it is cut off.' })
}
