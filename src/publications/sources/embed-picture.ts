import type { PdfPicture } from './pages-pdf.ts'

/** Tells segments of metadata: EXIF with positions, profiles, previews, comments. APP0 and APP14 describe colours. */
const isMetadata = (marker: number) => (marker > 0xe0 && marker <= 0xef && marker !== 0xee) || marker === 0xfe

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const SCAN = 0xda
const END = 0xd9
const ADOBE = 0xee

/**
 * Returns a JPEG as a PDF holds it: coded pixels byte for byte, without metadata and without what follows its end, such
 * as a film or a second picture. Undefined for a JPEG that viewers of PDFs show in other colours than browsers (CMYK),
 * or not at all (12 bits, arithmetic coding, a broken structure); it has to be encoded anew.
 */
export function embedJpeg(bytes: Uint8Array): PdfPicture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept: Uint8Array[] = [bytes.subarray(0, 2)]
  let frame: { width: number; height: number; components: number } | undefined
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === END) return finished(kept, frame)
    const end = at + 2 + view.getUint16(at + 2)
    if (end > bytes.length) return undefined
    if (isFrame(marker)) {
      // Baseline, extended and progressive Huffman coding (ISO 10918-1, table B.1).
      if (marker > 0xc2 || view.getUint8(at + 4) !== 8) return undefined
      frame = { height: view.getUint16(at + 5), width: view.getUint16(at + 7), components: view.getUint8(at + 9) }
    }
    // Colours that are not converted to luminance and chrominance are read differently by different viewers.
    if (marker === ADOBE && frame === undefined && bytes[at + 15] === 0) return undefined
    if (!isMetadata(marker)) kept.push(bytes.subarray(at, end))
    at = end
    if (marker !== SCAN) continue
    const scanEnd = endOfScan(bytes, at)
    kept.push(bytes.subarray(at, scanEnd))
    at = scanEnd
  }
  // A scan that was cut off is shown as far as it goes.
  return kept.length > 2 ? finished(kept, frame) : undefined
}

/** Returns the place of the first marker after the coded pixels that begin at `from`. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  return bytes.length
}

function finished(
  kept: Uint8Array[],
  frame: { width: number; height: number; components: number } | undefined,
): PdfPicture | undefined {
  if (frame === undefined || frame.width === 0 || frame.height === 0) return undefined
  const { width, height, components } = frame
  if (components !== 1 && components !== 3) return undefined
  const data = Buffer.concat([...kept, Buffer.from([0xff, END])])
  return { width, height, components, bitsPerComponent: 8, filter: 'DCTDecode', data }
}

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
