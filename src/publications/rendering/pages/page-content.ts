import type { Box, PageLink, Target, Word } from '../../model/document-content.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { type Pdfium, type Pointer, readUtf8, readUtf16, withCells } from '../pdfium/pdfium.ts'

/** The text of a page, in the order of the file, with the index of the first character of each word. */
type PageWords = { words: Word[]; starts: number[]; isTruncated: boolean }

/** A dense newspaper page has about 10,000 words. A page beyond this is an attack, or a map. */
const MAX_WORDS = 20_000

/** In scripts without spaces a paragraph is one word; it is split so that its boxes stay useful. */
const MAX_WORD_LENGTH = 64

/** Character codes of PDFium for a hyphen that divides a word at the end of a line, which also end the line. */
const LINE_END_HYPHENS = new Set([0x02, 0xfffe])
const LINE_BREAKS = new Set([0x0a, 0x0d])

/** A rectangle around letters, in the page's own coordinates. */
type Extent = { left: number; top: number; right: number; bottom: number }

type Letters = { text: string; start: number; extent: Extent | undefined }

/** Reads the words of a page's loaded text (`FPDFText_LoadPage`), from its first `maxCharacters`. */
export function readWords(pdfium: Pdfium, textPage: Pointer, toBox: ToBox, maxCharacters: number): PageWords {
  const count = Math.min(pdfium.FPDFText_CountChars(textPage), maxCharacters)
  const words: Word[] = []
  const starts: number[] = []
  let line = 0
  let isLineEmpty = true
  let letters: Letters = { text: '', start: 0, extent: undefined }

  function endWord() {
    const { text, start, extent } = letters
    letters = { text: '', start: 0, extent: undefined }
    if (extent === undefined) return
    const { left, top, right, bottom } = extent
    words.push({ text: text.toWellFormed(), line, ...toBox(left, top, right, bottom) })
    starts.push(start)
    isLineEmpty = false
  }

  function endLine() {
    endWord()
    if (!isLineEmpty) line++
    isLineEmpty = true
  }

  const rectAt = rectReader(pdfium)
  withCells(pdfium, 4, (rect) => {
    for (let index = 0; index < count && words.length < MAX_WORDS; index++) {
      const code = pdfium.FPDFText_GetUnicode(textPage, index)
      const letter = letterOf(code)
      if (LINE_BREAKS.has(code)) endLine()
      else if (letter === '') endWord()
      else {
        if (letters.text === '') letters.start = index
        letters.text += letter
        if (pdfium.FPDFText_GetLooseCharBox(textPage, index, rect) !== 0) {
          letters.extent ??= emptyExtent()
          widen(letters.extent, rectAt(rect))
        }
        if (LINE_END_HYPHENS.has(code)) endLine()
        else if (letters.text.length >= MAX_WORD_LENGTH) endWord()
      }
    }
  })
  endWord()
  return { words, starts, isTruncated: words.length >= MAX_WORDS || pdfium.FPDFText_CountChars(textPage) > count }
}

function emptyExtent(): Extent {
  return { left: Infinity, top: -Infinity, right: -Infinity, bottom: Infinity }
}

/**
 * Returns a function that reads an `FS_RECTF` of PDFium's memory as four floats, without a new view for each letter.
 */
function rectReader(pdfium: Pdfium): (pointer: Pointer) => Float32Array {
  let floats = new Float32Array(0)
  return (pointer) => {
    // Memory that has grown is another buffer.
    if (floats.buffer !== pdfium.memory.buffer || floats.byteOffset !== pointer)
      floats = new Float32Array(pdfium.memory.buffer, pointer, 4)
    return floats
  }
}

/** Widens an extent by a rectangle: left, top, right, bottom. Coordinates that are not numbers change nothing. */
function widen(extent: Extent, rect: Float32Array): void {
  if (rect[0] < extent.left) extent.left = rect[0]
  if (rect[1] > extent.top) extent.top = rect[1]
  if (rect[2] > extent.right) extent.right = rect[2]
  if (rect[3] < extent.bottom) extent.bottom = rect[3]
}

/** Reads an `FS_RECTF`: left, top, right, bottom as floats. */
export function readRect(cells: DataView, toBox: ToBox): Box {
  const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => cells.getFloat32(offset, true))
  return toBox(left, top, right, bottom)
}

/**
 * Returns the letter of a character code; empty for a separator. Codes above U+FFFF arrive as two halves, or as one.
 */
function letterOf(code: number): string {
  if (LINE_END_HYPHENS.has(code)) return '-'
  if (code <= 0x20 || (code >= 0x7f && code <= 0xa0)) return ''
  const letter = code > 0x10ffff ? '' : code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code)
  return /\s/.test(letter) ? '' : letter
}

/** Converts a rectangle in the page's own coordinates to one on the page as shown, clipped to the page. */
export type ToBox = (left: number, top: number, right: number, bottom: number) => Box

/** The page's extent in the integer units of PDFium's answers. */
const EXTENT = 1 << 20

/** Five decimals: a hundredth of a pixel at the widths in use, and short in JSON. */
const PRECISION = 100_000

/**
 * Returns the mapping of the page's coordinates to the page as shown, with its rotation, crop box and origin. PDFium
 * maps three points, which define the affine mapping; asking it for each corner would be slow.
 */
export function boxesOf({ pdfium }: PdfDocument, page: Pointer): ToBox {
  const widthPt = pdfium.FPDF_GetPageWidthF(page) || 1
  const heightPt = pdfium.FPDF_GetPageHeightF(page) || 1
  const [origin, alongX, alongY] = withCells(pdfium, 2, (pointer, cells) =>
    [
      [0, 0],
      [widthPt, 0],
      [0, heightPt],
    ].map(([x, y]) => {
      pdfium.FPDF_PageToDevice(page, 0, 0, EXTENT, EXTENT, 0, x, y, pointer, pointer + 4)
      return { x: cells().getInt32(0, true) / EXTENT, y: cells().getInt32(4, true) / EXTENT }
    }),
  )
  const toX = (x: number, y: number) =>
    origin.x + ((alongX.x - origin.x) * x) / widthPt + ((alongY.x - origin.x) * y) / heightPt
  const toY = (x: number, y: number) =>
    origin.y + ((alongX.y - origin.y) * x) / widthPt + ((alongY.y - origin.y) * y) / heightPt
  return (left, top, right, bottom) =>
    boxBetween(toX(left, top), toY(left, top), toX(right, bottom), toY(right, bottom))
}

function boxBetween(x1: number, y1: number, x2: number, y2: number): Box {
  const x = onPage(Math.min(x1, x2))
  const y = onPage(Math.min(y1, y2))
  return { x, y, width: round(onPage(Math.max(x1, x2)) - x), height: round(onPage(Math.max(y1, y2)) - y) }
}

/** Clamps to 0 and 1; values of broken files that are not numbers become 0. */
function onPage(part: number): number {
  return Number.isFinite(part) ? round(Math.min(Math.max(part, 0), 1)) : 0
}

function round(part: number): number {
  return Math.round(part * PRECISION) / PRECISION
}

/** More than the densest index page has; each link is an element of the public page. */
const MAX_LINKS = 2_000

/** Reads the links of a page: links of its author, then the addresses in its text. */
export function readLinks(document: PdfDocument, page: Pointer, textPage: Pointer, toBox: ToBox): PageLink[] {
  const placed = readPlacedLinks(document, page, toBox)
  const written = readWrittenLinks(document, textPage, toBox)
  const unknown = written.filter((link) => !placed.some((other) => overlaps(link, other)))
  return [...placed, ...unknown].filter(({ width, height }) => width > 0 && height > 0).slice(0, MAX_LINKS)
}

function readPlacedLinks(document: PdfDocument, page: Pointer, toBox: ToBox): PageLink[] {
  const { pdfium, handle } = document
  const links: PageLink[] = []
  withCells(pdfium, 6, (position, cells) => {
    const link = position + 4
    const rect = position + 8
    cells().setInt32(0, 0, true)
    while (links.length < MAX_LINKS && pdfium.FPDFLink_Enumerate(page, position, link) !== 0) {
      const linkHandle = cells().getUint32(4, true)
      const destination = pdfium.FPDFLink_GetDest(handle, linkHandle)
      const target = readTarget(document, destination, pdfium.FPDFLink_GetAction(linkHandle))
      if (target === undefined || pdfium.FPDFLink_GetAnnotRect(linkHandle, rect) === 0) continue
      links.push({ ...readRect(new DataView(cells().buffer, rect, 16), toBox), ...target })
    }
  })
  return links
}

function readWrittenLinks({ pdfium }: PdfDocument, textPage: Pointer, toBox: ToBox): PageLink[] {
  const found = pdfium.FPDFLink_LoadWebLinks(textPage)
  if (found === 0) return []
  try {
    const count = Math.min(pdfium.FPDFLink_CountWebLinks(found), MAX_LINKS)
    return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
      // This one call counts in characters, not in bytes.
      const uri = safeUri(
        readUtf16(pdfium, (buffer, size) => pdfium.FPDFLink_GetURL(found, index, buffer, size / 2) * 2),
      )
      const rects = uri === undefined ? 0 : Math.min(pdfium.FPDFLink_CountRects(found, index), 10)
      return Array.from({ length: rects }, (_, rect) => ({
        ...withCells(pdfium, 8, (at, cells) => {
          pdfium.FPDFLink_GetRect(found, index, rect, at, at + 8, at + 16, at + 24)
          const [left, top, right, bottom] = [0, 8, 16, 24].map((offset) => cells().getFloat64(offset, true))
          return toBox(left, top, right, bottom)
        }),
        uri: uri!,
      }))
    })
  } finally {
    pdfium.FPDFLink_CloseWebLinks(found)
  }
}

function overlaps(one: Box, other: Box): boolean {
  const isBeside = one.x >= other.x + other.width || other.x >= one.x + one.width
  const isAbove = one.y >= other.y + other.height || other.y >= one.y + one.height
  return !isBeside && !isAbove
}

/** Kinds of actions, `PDFACTION_…` of fpdf_doc.h. */
const ACTION_GO_TO = 1
const ACTION_GO_TO_REMOTE = 2
const ACTION_URI = 3
const ACTION_GO_TO_EMBEDDED = 5

const MAX_URI_LENGTH = 2_048

/** Protocols that are safe to follow from our pages; `javascript:`, `file:` and `data:` are not. */
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/**
 * Reads the target of a destination, or of the action in its place; undefined if there is none that may be followed.
 */
export function readTarget(document: PdfDocument, destination: Pointer, action: Pointer): Target | undefined {
  const { pdfium, handle } = document
  const type = action === 0 ? undefined : pdfium.FPDFAction_GetType(action)
  // PDFium also returns destinations for pages of another file.
  if (type === ACTION_GO_TO_REMOTE || type === ACTION_GO_TO_EMBEDDED) return undefined
  if (destination !== 0) return pageTarget(document, destination)
  if (type === ACTION_GO_TO) return pageTarget(document, pdfium.FPDFAction_GetDest(handle, action))
  if (type !== ACTION_URI) return undefined
  const uri = safeUri(readUtf8(pdfium, (buffer, size) => pdfium.FPDFAction_GetURIPath(handle, action, buffer, size)))
  return uri === undefined ? undefined : { uri }
}

/** Normalises an address; undefined if it is not absolute or its protocol may not be followed. */
export function safeUri(text: string): string | undefined {
  if (text.length > MAX_URI_LENGTH) return undefined
  const url = URL.parse(text.trim())
  return url !== null && PROTOCOLS.has(url.protocol) ? url.href : undefined
}

function pageTarget({ pdfium, handle, pageCount }: PdfDocument, destination: Pointer): Target | undefined {
  if (destination === 0) return undefined
  const index = pdfium.FPDFDest_GetDestPageIndex(handle, destination)
  return index >= 0 && index < pageCount ? { page: index + 1 } : undefined
}
