import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredEncoding } from '../negotiation.ts'
import { isNotModified } from './byte-range-answer.ts'

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
