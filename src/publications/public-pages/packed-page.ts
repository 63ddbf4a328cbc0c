import { buffer } from 'node:stream/consumers'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import { preferredEncoding } from '#platform/http/negotiation.ts'

/** Content encodings of a page, the best first. */
export const ENCODINGS = ['zstd', 'br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/**
 * A page is compressed once and sent often: these levels make it a tenth smaller
 * than the defaults, for a few milliseconds.
 */
const compressors = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 6 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: () => createGzip(),
}

/** Returns the encoding to send a page in, by `Accept-Encoding`; undefined if the browser accepts none of them. */
export function pageEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  return preferredEncoding(acceptEncoding, ENCODINGS)
}

/**
 * Compresses a page so that browsers can decompress the first page of the document as soon as its bytes arrive.
 * Otherwise they wait for a block of 128 kB, a sixth of a second on a slow line, before they show anything.
 */
export async function packPage(html: Buffer, encoding: Encoding): Promise<Buffer> {
  const compressor = compressors[encoding]()
  const packed = buffer(compressor)
  const end = endOfFirstPage(html)
  compressor.write(html.subarray(0, end))
  await new Promise<void>((resolve) => compressor.flush(() => resolve()))
  compressor.end(html.subarray(end))
  return await packed
}

function endOfFirstPage(html: Buffer): number {
  const at = html.indexOf('</section>')
  return at < 0 ? html.length : at
}
