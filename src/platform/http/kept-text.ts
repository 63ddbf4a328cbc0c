import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredEncoding } from './negotiation.ts'
import { isNotModified } from './ranges.ts'

const compressors = {
  zstd: promisify(zstdCompress),
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
}
type Encoding = keyof typeof compressors
const ENCODINGS = Object.keys(compressors) as Encoding[]

/** The default, 11, takes half a second for a long document. */
const BROTLI_QUALITY = 5

/**
 * Returns a handler that sends text that never changes. The text is built and compressed with the first request for it
 * in an encoding, and kept: anyone may request a long document as often as they like.
 */
export function sendKept(contentType: string, build: () => string | Promise<string>) {
  const packed = new Map<Encoding, Promise<Buffer>>()
  let built: Promise<{ bytes: Buffer; etag: string }> | undefined

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    built ??= withTag(build)
    const { bytes, etag } = await built
    reply.header('etag', `W/${etag}`).header('vary', 'accept-encoding').header('cache-control', 'no-cache')
    if (isNotModified(request.headers, etag)) return reply.code(304).send()
    reply.type(contentType)
    const encoding = preferredEncoding(request.headers['accept-encoding'], ENCODINGS)
    if (encoding === undefined) return reply.send(bytes)
    if (!packed.has(encoding)) packed.set(encoding, compressors[encoding](bytes))
    return reply.header('content-encoding', encoding).send(await packed.get(encoding))
  }
}

async function withTag(build: () => string | Promise<string>) {
  const text = await build()
  return { bytes: Buffer.from(text), etag: `"${hash('sha256', text).slice(0, 20)}"` }
}

/** Encodings of answers that are kept, the best first. */
const ENCODED_BYTES_ENCODINGS = ['zstd', 'br', 'gzip'] as const
export type ContentEncoding = (typeof ENCODED_BYTES_ENCODINGS)[number]

const encoders: Record<ContentEncoding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  zstd: promisify(zstdCompress),
  // The default quality of 11 takes fifty times as long, and saves a tenth.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
}

/** Encodes an answer that is sent many times. */
export async function encodeBytes(bytes: Uint8Array, encoding: ContentEncoding): Promise<Uint8Array> {
  return await encoders[encoding](bytes)
}

/** Returns the encoding that a client prefers; undefined if it accepts none of them. */
export function acceptedEncoding({ headers }: FastifyRequest): ContentEncoding | undefined {
  return preferredEncoding(headers['accept-encoding'], ENCODED_BYTES_ENCODINGS)
}

/** Sends JSON that was written and encoded before. */
export function sendJsonBytes(reply: FastifyReply, bytes: Uint8Array, encoding: ContentEncoding | undefined) {
  reply.type('application/json; charset=utf-8').header('vary', 'Accept-Encoding')
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
