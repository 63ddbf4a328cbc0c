import type { FileHandle } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import type { Word } from '../model/document-content.ts'
import { glyphlessFont } from './glyphless-font.ts'

/** The text of a page: operators that draw nothing, and let viewers search and select words (`wordOperators`). */
export type PageText = { page: number; operators: Uint8Array }

type Size = { widthPt: number; heightPt: number }

/** A page of a PDF that `PagesPdf` wrote, with the numbers of its objects. */
type PicturePage = Size & { number: number; picture: string; drawing: string }

/** A PDF that `PagesPdf` wrote, as far as an update of it has to know. */
type PicturesPdf = { size: number; tableAt: number; objects: number; info: string; pages: (PicturePage | undefined)[] }

/** Letters of `glyphlessFont` are half as wide as they are high. */
const LETTER_WIDTH = 0.5
const MIN_SIDE_PT = 0.01

/**
 * Returns the operators of a page's words. Words of a line are as high as the line, so that a selection is one band, and
 * the space after a word reaches to the next one.
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
 * Returns the sizes of the pages of a PDF that `PagesPdf` wrote, and what `textUpdate` needs.
 * @throws Error for another PDF
 */
export async function readPicturesPdf(file: FileHandle): Promise<PicturesPdf> {
  const { size } = await file.stat()
  const end = await readText(file, Math.max(0, size - 200), size)
  const [, objects, info, tableAt] = required(
    /trailer\n<<\/Size (\d+)\/Root 1 0 R\/Info (\d+) 0 R>>\nstartxref\n(\d+)\n%%EOF\n$/.exec(end),
  )
  const table = await readText(file, Number(tableAt) + `xref\n0 ${objects}\n`.length, size)
  const offsetOf = (number: number) => {
    const row = table.slice(ROW_BYTES * number, ROW_BYTES * (number + 1))
    return row[17] === 'n' ? Number(row.slice(0, 10)) : undefined
  }
  const list = await readText(file, offsetOf(2) ?? 0, Number(tableAt))
  const [, kids] = required(/^2 0 obj\n<<\/Type\/Pages\/Count \d+\/Kids\[([\d R]*)\]>>/.exec(list))
  const pages: PicturesPdf['pages'] = []
  for (const kid of kids.split(' R').slice(0, -1)) {
    const number = Number.parseInt(kid, 10)
    const at = offsetOf(number)
    // A page that could not be read has no object.
    pages.push(at === undefined ? undefined : pageOf(number, await readText(file, at, at + MAX_PAGE_BYTES)))
  }
  return { size, tableAt: Number(tableAt), objects: Number(objects), info, pages }
}

/** Bytes of a row in a table of objects (ISO 32000-1, 7.5.4), and more than those of a page's object. */
const ROW_BYTES = 20
const MAX_PAGE_BYTES = 400

function pageOf(number: number, text: string): PicturePage {
  const [, widthPt, heightPt, picture, drawing] = required(
    /^\d+ 0 obj\n<<\/Type\/Page\/Parent 2 0 R\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]\/Resources<<\/XObject<<\/P (\d+) 0 R>>>>\/Contents (\d+) 0 R>>/.exec(
      text,
    ),
  )
  return { number, widthPt: Number(widthPt), heightPt: Number(heightPt), picture, drawing }
}

function required(found: RegExpExecArray | null): RegExpExecArray {
  if (found === null) throw new Error('The PDF is not one that was made of pictures here')
  return found
}

async function readText(file: FileHandle, start: number, end: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
  return buffer.toString('latin1', 0, bytesRead)
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
    const changed = pdf.pages[page - 1]
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
