import { constants, deflateRawSync } from 'node:zlib'

/** The start of every gzip stream (RFC 1952, 2.3.1): deflate, without a name or time. */
export const GZIP_START = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** The fastest level makes events a fifth; the best would take three times as long for a tenth less. */
const OPTIONS = { level: 1, finishFlush: constants.Z_SYNC_FLUSH }

const compressed = new WeakMap<Buffer, Buffer>()

/**
 * Compresses bytes as a part of a gzip stream: blocks of deflate (RFC 1951) that refer to nothing before them and end
 * on a byte. Parts can follow each other in any stream, so that what goes to thousands of viewers is compressed once. A
 * stream has no end and so no checksum: it is broken off.
 */
export function compressPart(bytes: Buffer): Buffer {
  const known = compressed.get(bytes)
  if (known !== undefined) return known
  const part = deflateRawSync(bytes, OPTIONS)
  compressed.set(bytes, part)
  return part
}
