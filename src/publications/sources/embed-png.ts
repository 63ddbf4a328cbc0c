import type { PdfPicture } from './pages-pdf.ts'

const SIGNATURE_BYTES = 8
/** Components of a pixel by colour type (PNG, 11.2.1); types with transparency are missing. */
const COMPONENTS: Record<number, 1 | 3> = { 0: 1, 2: 3, 3: 1 }
const INDEXED = 3

/**
 * Returns a PNG as a PDF holds it, whose compressed pixels are the same bytes. Undefined for one that a PDF cannot hold
 * so (transparency, interlacing, 16 bits, a broken structure); it has to be encoded anew.
 */
export function embedPng(bytes: Uint8Array): PdfPicture | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pixels: Uint8Array[] = []
  let palette: Uint8Array | undefined
  for (const { type, data } of chunksOf(file)) {
    if (type === 'tRNS') return undefined
    if (type === 'PLTE') palette = data
    if (type === 'IDAT') pixels.push(data)
  }
  if (file.length < 33 || pixels.length === 0) return undefined
  const [bitsPerComponent, colourType, , , interlacing] = file.subarray(24, 29)
  const components = COMPONENTS[colourType]
  const isIndexed = colourType === INDEXED
  if (components === undefined || interlacing !== 0 || ![1, 2, 4, 8].includes(bitsPerComponent)) return undefined
  if (isIndexed && (palette === undefined || palette.length % 3 !== 0 || palette.length > 768)) return undefined
  const size = { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
  if (size.width === 0 || size.height === 0) return undefined
  return {
    ...size,
    components,
    bitsPerComponent,
    filter: 'FlateDecode',
    data: Buffer.concat(pixels),
    ...(isIndexed && { palette }),
  }
}

function* chunksOf(file: Buffer): Generator<{ type: string; data: Uint8Array }> {
  let at = SIGNATURE_BYTES
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const end = at + 8 + length
    // A file that was cut off keeps the rows that arrived.
    yield { type, data: file.subarray(at + 8, Math.min(end, file.length)) }
    if (type === 'IEND') return
    at = end + 4
  }
}
