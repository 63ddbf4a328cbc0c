import { deflateSync } from 'node:zlib'
import type { Word } from '../model/document-content.ts'
import type { PicturesPdf } from '../rendering/pages/pictures-pdf.ts'

/** The text of a page: operators that draw nothing, and let viewers search and select words (`wordOperators`). */
export type PageText = { page: number; operators: Uint8Array }

type Size = { widthPt: number; heightPt: number }

/** Letters of `glyphlessFont` are half as wide as they are high. */
const LETTER_WIDTH = 0.5
const MIN_SIDE_PT = 0.01

/**
 * Returns the operators of a page's words. Words of a line are as high as the line, so that a selection is one band,
 * and the space after a word reaches to the next one.
 */
export function wordOperators(words: readonly Word[], { widthPt, heightPt }: Size): string {
  const operators = ['BT 3 Tr']
  for (let first = 0, end = 0; first < words.length; first = end) {
    const { line } = words[first]
    while (end < words.length && words[end].line === line) end++
    const ofLine = words.slice(first, end)
    const top = Math.min(...ofLine.map(({ y }) => y))
    const bottom = Math.max(...ofLine.map(({ y, height }) => y + height))
    const size = Math.max((bottom - top) * heightPt, MIN_SIDE_PT)
    operators.push(`/T ${decimal(size)} Tf`)
    for (const [at, { text, x, width }] of ofLine.entries()) {
      operators.push(`1 0 0 1 ${decimal(x * widthPt)} ${decimal((1 - bottom) * heightPt)} Tm`)
      operators.push(shown(text, width * widthPt, size))
      const space = (ofLine[at + 1]?.x ?? 0) - (x + width)
      if (at + 1 < ofLine.length) operators.push(shown(' ', space * widthPt, size))
    }
  }
  return [...operators, 'ET'].join('\n')
}

/** Shows a text at a width, by scaling its letters. */
function shown(text: string, widthPt: number, sizePt: number): string {
  const scale = (100 * Math.max(widthPt, MIN_SIDE_PT)) / (text.length * LETTER_WIDTH * sizePt)
  return `${decimal(scale)} Tz <${Buffer.from(text, 'utf16le').swap16().toString('hex')}> Tj`
}

function decimal(value: number): string {
  return String(Number(value.toFixed(3)))
}

/**
 * Yields an update of a PDF (ISO 32000-1, 7.5.6): bytes that follow it, and give its pages their text. Page after page,
 * in constant memory.
 */
export async function* textUpdate(pdf: PicturesPdf, texts: AsyncIterable<PageText>): AsyncGenerator<Buffer> {
  const offsets = new Map<number, number>()
  let [at, next] = [pdf.size, pdf.objects]

  function object(number: number, ...parts: (string | Uint8Array)[]): Buffer {
    const bytes = Buffer.concat([`${number} 0 obj\n`, ...parts, '\nendobj\n'].map((part) => asBytes(part)))
    offsets.set(number, at)
    at += bytes.length
    return bytes
  }
  const streamOf = (data: Uint8Array, entries = '') => [
    `<<${entries}/Filter/FlateDecode/Length ${data.length}>>stream\n`,
    data,
    '\nendstream',
  ]

  const font = next
  next += 6
  const [descendant, descriptor, program, unicode, glyphs] = [1, 2, 3, 4, 5].map((further) => font + further)
  const system = '/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>'
  yield object(
    font,
    `<</Type/Font/Subtype/Type0/BaseFont/Glyphless/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${unicode} 0 R>>`,
  )
  yield object(
    descendant,
    `<</Type/Font/Subtype/CIDFontType2/BaseFont/Glyphless${system}/DW ${1000 * LETTER_WIDTH}/FontDescriptor ${descriptor} 0 R/CIDToGIDMap ${glyphs} 0 R>>`,
  )
  yield object(
    descriptor,
    `<</Type/FontDescriptor/FontName/Glyphless/Flags 5/FontBBox[0 0 ${1000 * LETTER_WIDTH} 1000]/Ascent 1000/Descent 0/CapHeight 1000/ItalicAngle 0/StemV 80/FontFile2 ${program} 0 R>>`,
  )
  const bytes = glyphlessFont()
  yield object(program, ...streamOf(deflateSync(bytes), `/Length1 ${bytes.length}`))
  yield object(unicode, ...streamOf(deflateSync(TO_UNICODE)))
  // Every code has glyph 1, which is empty.
  yield object(glyphs, ...streamOf(deflateSync(Buffer.alloc(131_072, '\0\x01'))))

  for await (const { page, operators } of texts) {
    const changed = pdf.page(page)
    if (changed === undefined) continue
    const { number, picture, drawing, widthPt, heightPt } = changed
    const text = next++
    yield object(text, ...streamOf(operators))
    const resources = `<</XObject<</P ${picture} 0 R>>/Font<</T ${font} 0 R>>>>`
    yield object(
      number,
      `<</Type/Page/Parent 2 0 R/MediaBox [0 0 ${widthPt} ${heightPt}]/Resources${resources}/Contents[${drawing} 0 R ${text} 0 R]>>`,
    )
  }
  const rows = [...offsets].sort(([a], [b]) => a - b)
  const table = rows.map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`)
  yield Buffer.from(
    `xref\n${table.join('')}trailer\n<</Size ${next}/Root 1 0 R/Info ${pdf.info} 0 R/Prev ${pdf.tableAt}>>\nstartxref\n${at}\n%%EOF\n`,
  )
}

function asBytes(part: string | Uint8Array): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part, 'latin1') : part
}

/** Codes of the font are UTF-16 (ISO 32000-1, 9.10.3). */
const TO_UNICODE = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
1 beginbfrange
<0000> <FFFF> <0000>
endbfrange
endcmap
CMapName currentdict /CMap defineresource pop
end
end
`

const UNITS_PER_EM = 1000
const LETTER_UNITS = 500
/** `.notdef`, and the one of all letters. */
const GLYPHS = 2
/** Sum of all words of a font, which a field of `head` completes (OpenType). */
const CHECK_SUM = 0xb1b0afba
const CHECK_SUM_AT = 8
const HEAD_BYTES = 12
const ENTRY_BYTES = 16

/**
 * Returns a TrueType font of two empty glyphs, 1 em high and half as wide, for text that is not to be seen. Viewers
 * want a font for such text as well, and would otherwise look for one of their own. It has the tables that
 * ISO 32000-1, 9.9 asks of a font within a PDF.
 */
function glyphlessFont(): Buffer {
  const tables: [tag: string, bytes: Buffer][] = [
    ['glyf', Buffer.alloc(4)],
    ['head', head()],
    ['hhea', hhea()],
    ['hmtx', words(LETTER_UNITS, 0, LETTER_UNITS, 0)],
    // Both glyphs end where they begin.
    ['loca', words(...Array.from({ length: GLYPHS + 1 }, () => 0))],
    ['maxp', words(1, 0, GLYPHS, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
  ]
  const directory: Buffer[] = [words(1, 0, tables.length, 64, 2, 16 * tables.length - 64)]
  let at = HEAD_BYTES + ENTRY_BYTES * tables.length
  const bodies: Buffer[] = []
  let headAt = 0
  for (const [tag, bytes] of tables) {
    if (tag === 'head') headAt = at
    const entry = Buffer.alloc(ENTRY_BYTES)
    entry.write(tag, 'latin1')
    entry.writeUInt32BE(sumOf(padded(bytes)), 4)
    entry.writeUInt32BE(at, 8)
    entry.writeUInt32BE(bytes.length, 12)
    directory.push(entry)
    bodies.push(padded(bytes))
    at += padded(bytes).length
  }
  const font = Buffer.concat([...directory, ...bodies])
  font.writeUInt32BE((CHECK_SUM - sumOf(font)) >>> 0, headAt + CHECK_SUM_AT)
  return font
}

function head(): Buffer {
  const bytes = Buffer.alloc(54)
  bytes.writeUInt32BE(0x00010000, 0)
  bytes.writeUInt32BE(0x00010000, 4)
  bytes.writeUInt32BE(0x5f0f3cf5, 12)
  bytes.writeUInt16BE(UNITS_PER_EM, 18)
  bytes.writeInt16BE(LETTER_UNITS, 40)
  bytes.writeInt16BE(UNITS_PER_EM, 42)
  bytes.writeUInt16BE(8, 46)
  bytes.writeInt16BE(2, 48)
  return bytes
}

function hhea(): Buffer {
  const bytes = Buffer.alloc(36)
  bytes.writeUInt32BE(0x00010000, 0)
  bytes.writeInt16BE(UNITS_PER_EM, 4)
  bytes.writeUInt16BE(LETTER_UNITS, 10)
  bytes.writeInt16BE(LETTER_UNITS, 16)
  bytes.writeInt16BE(1, 18)
  bytes.writeUInt16BE(GLYPHS, 34)
  return bytes
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, 2 * at)
  return bytes
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
}

function sumOf(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}
