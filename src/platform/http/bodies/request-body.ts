import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { badRequest, defineError, payloadTooLarge, unavailable, unsupportedMediaType } from '../../errors.ts'
import { takeBodyBuffer } from './body-buffer-pool.ts'
import { drainBody } from './drain-body.ts'

export const bodyTooSlow = defineError('REQUEST_TIMEOUT', 408, 'The body did not arrive in time.')

/** Time a whole JSON body may take; a phone on a bad network needs seconds, a slow-body attack wants forever. */
const BODY_TIME_LIMIT_MS = 300_000

/** Memory that all bodies being received may take together; beyond it a new one is answered 503 at once. */
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
 * @throws payloadTooLarge as soon as the decoded bytes pass `limitBytes`, so that a bomb is stopped while it unfolds;
 *   unsupportedMediaType for an unknown Content-Encoding; badRequest for broken compression or a body that ends early;
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

/** Names of codings are the same in any case (RFC 9110, 8.4.1). */
function decoderFor(header: string | undefined): Transform | undefined {
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

function collect(
  request: IncomingMessage,
  decoder: Transform | undefined,
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
 * Gathers a body. Pieces that are joined at the end take their size twice, and it is such memory outside of its own that
 * drives the garbage collector, so a large body of known length gets room for all of it at once.
 */
function createBodyBuffer(announcedBytes: number) {
  const room = takeBodyBuffer(announcedBytes)
  const pieces: Buffer[] = []
  let filled = 0
  return {
    add(piece: Buffer): void {
      if (room === undefined) pieces.push(piece)
      else filled += piece.copy(room, filled)
    },
    whole(): Buffer {
      if (room !== undefined) return room.subarray(0, filled)
      return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
    },
  }
}

function badCompression(cause: Error) {
  return badRequest({ cause, detail: 'The body is not what its Content-Encoding says, or it is cut off.' })
}
