import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredEncoding } from './negotiation.ts'
import { isNotModified } from './ranges.ts'

/** The default of 11 takes fifty times as long, half a second for a long document, and saves a tenth. */
const BROTLI_QUALITY = 5

const encoders = {
  zstd: promisify(zstdCompress),
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
}

/** Encodings of answers that are kept, the best first. */
const ENCODINGS = Object.keys(encoders) as ContentEncoding[]
export type ContentEncoding = keyof typeof encoders

/**
 * Returns a handler that sends text that never changes. The text is built and compressed with the first request for it
 * in an encoding, and kept: anyone may request a long document as often as they like.
 */
export function sendKept(contentType: string, build: () => string | Promise<string>) {
  const packed = new Map<ContentEncoding, Promise<Buffer>>()
  let built: Promise<{ bytes: Buffer; etag: string }> | undefined

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    built ??= withTag(build)
    const { bytes, etag } = await built
    reply.header('etag', `W/${etag}`).header('vary', 'accept-encoding').header('cache-control', 'no-cache')
    if (isNotModified(request.headers, etag)) return reply.code(304).send()
    reply.type(contentType)
    const encoding = acceptedEncoding(request)
    if (encoding === undefined) return reply.send(bytes)
    if (!packed.has(encoding)) packed.set(encoding, encodeBytes(bytes, encoding))
    return reply.header('content-encoding', encoding).send(await packed.get(encoding))
  }
}

async function withTag(build: () => string | Promise<string>) {
  const text = await build()
  return { bytes: Buffer.from(text), etag: `"${hash('sha256', text).slice(0, 20)}"` }
}

/** Encodes an answer that is sent many times. */
export async function encodeBytes(bytes: Uint8Array, encoding: ContentEncoding): Promise<Buffer> {
  return await encoders[encoding](bytes)
}

/** Returns the encoding that a client prefers; undefined if it accepts none of them. */
export function acceptedEncoding({ headers }: FastifyRequest): ContentEncoding | undefined {
  return preferredEncoding(headers['accept-encoding'], ENCODINGS)
}

/** Sends JSON that was written and encoded before. */
export function sendJsonBytes(reply: FastifyReply, bytes: Uint8Array, encoding: ContentEncoding | undefined) {
  reply.type('application/json; charset=utf-8').header('vary', 'Accept-Encoding')
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
