import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredEncoding } from './negotiation.ts'

/** Encodings of answers that are kept, the best first. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const
export type ContentEncoding = (typeof ENCODINGS)[number]

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
  return preferredEncoding(headers['accept-encoding'], ENCODINGS)
}

/** Sends JSON that was written and encoded before. */
export function sendJsonBytes(reply: FastifyReply, bytes: Uint8Array, encoding: ContentEncoding | undefined) {
  reply.type('application/json; charset=utf-8').header('vary', 'Accept-Encoding')
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
