import type { PageStructure, StructureNode } from '../../model/document-content.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { type Pdfium, type Pointer, readUtf16, withCells, withUtf8 } from '../pdfium/pdfium.ts'

/** Elements of a page: a dense table has some thousands. More, and deeper ones, are an attack. */
const MAX_NODES = 10_000
const MAX_DEPTH = 48
const MAX_TEXT_LENGTH = 4_000
const MAX_TYPE_LENGTH = 32
const LANGUAGE = /^[A-Za-z0-9-]{2,35}$/
const NUMBERED = new Set(['Decimal', 'UpperRoman', 'LowerRoman', 'UpperAlpha', 'LowerAlpha', 'Ordered'])

/**
 * Reads the structure tree of a page, and the marks of its words from the index of the first character of each. Returns
 * undefined if the file does not describe its structure.
 */
export function readStructure(
  { pdfium, handle }: PdfDocument,
  page: Pointer,
  textPage: Pointer,
  starts: readonly number[],
): PageStructure | undefined {
  if (pdfium.FPDFCatalog_IsTagged(handle) === 0) return undefined
  const tree = pdfium.FPDF_StructTree_GetForPage(page)
  if (tree === 0) return undefined
  try {
    const left = { nodes: MAX_NODES }
    const count = Math.min(pdfium.FPDF_StructTree_CountChildren(tree), MAX_NODES)
    const roots = Array.from({ length: Math.max(0, count) }, (_, index) =>
      readNode(pdfium, pdfium.FPDF_StructTree_GetChildAtIndex(tree, index), left, 0),
    ).filter((node) => node !== undefined)
    return roots.length === 0 ? undefined : { roots, marks: starts.map((index) => markOf(pdfium, textPage, index)) }
  } finally {
    pdfium.FPDF_StructTree_Close(tree)
  }
}

/** Returns the mark of a character; -1 without one. */
function markOf(pdfium: Pdfium, textPage: Pointer, index: number): number {
  const object = pdfium.FPDFText_GetTextObject(textPage, index)
  return object === 0 ? -1 : pdfium.FPDFPageObj_GetMarkedContentID(object)
}

function readNode(pdfium: Pdfium, element: Pointer, left: { nodes: number }, depth: number): StructureNode | undefined {
  if (element === 0 || depth > MAX_DEPTH || left.nodes <= 0) return undefined
  left.nodes--
  const type = textOf(pdfium, element, 'FPDF_StructElement_GetType').slice(0, MAX_TYPE_LENGTH)
  const alternative = textOf(pdfium, element, 'FPDF_StructElement_GetAltText')
  const replacement = textOf(pdfium, element, 'FPDF_StructElement_GetActualText')
  const language = textOf(pdfium, element, 'FPDF_StructElement_GetLang').replaceAll('_', '-')
  return {
    type,
    ...(alternative !== '' && { alternative }),
    ...(replacement !== '' && { replacement }),
    ...(LANGUAGE.test(language) && { language }),
    ...(type === 'L' && NUMBERED.has(attributeText(pdfium, element, 'ListNumbering')) && { isNumbered: true }),
    ...((type === 'TD' || type === 'TH') && readSpans(pdfium, element)),
    content: readContent(pdfium, element, left, depth),
  }
}

function readContent(
  pdfium: Pdfium,
  element: Pointer,
  left: { nodes: number },
  depth: number,
): StructureNode['content'] {
  const content: StructureNode['content'] = []
  const count = pdfium.FPDF_StructElement_CountChildren(element)
  for (let index = 0; index < count && left.nodes > 0; index++) {
    const node = readNode(pdfium, pdfium.FPDF_StructElement_GetChildAtIndex(element, index), left, depth + 1)
    const mark = node === undefined ? pdfium.FPDF_StructElement_GetChildMarkedContentID(element, index) : -1
    if (node !== undefined) content.push(node)
    else if (mark >= 0) {
      left.nodes--
      content.push(mark)
    }
  }
  return content
}

type TextFunction =
  | 'FPDF_StructElement_GetType'
  | 'FPDF_StructElement_GetAltText'
  | 'FPDF_StructElement_GetActualText'
  | 'FPDF_StructElement_GetLang'

function textOf(pdfium: Pdfium, element: Pointer, name: TextFunction): string {
  return readUtf16(pdfium, (buffer, bytes) => pdfium[name](element, buffer, bytes)).slice(0, MAX_TEXT_LENGTH)
}

function attributeText(pdfium: Pdfium, element: Pointer, name: string): string {
  return withUtf8(pdfium, name, (key) =>
    readUtf16(pdfium, (buffer, bytes) => pdfium.FPDF_StructElement_GetStringAttribute(element, key, buffer, bytes)),
  )
}

/** Reads the columns and rows that a cell spans, if more than one. */
function readSpans(pdfium: Pdfium, element: Pointer) {
  const [columns, rows] = ['ColSpan', 'RowSpan'].map((name) => attributeNumber(pdfium, element, name))
  return { ...(columns > 1 && { columns }), ...(rows > 1 && { rows }) }
}

function attributeNumber(pdfium: Pdfium, element: Pointer, name: string): number {
  const count = Math.min(8, pdfium.FPDF_StructElement_GetAttributeCount(element))
  return withUtf8(pdfium, name, (key) => {
    for (let index = 0; index < count; index++) {
      const attribute = pdfium.FPDF_StructElement_GetAttributeAtIndex(element, index)
      const value = attribute === 0 ? 0 : pdfium.FPDF_StructElement_Attr_GetValue(attribute, key)
      const number = value === 0 ? Number.NaN : readNumber(pdfium, value)
      if (Number.isInteger(number)) return number
    }
    return 1
  })
}

function readNumber(pdfium: Pdfium, value: Pointer): number {
  return withCells(pdfium, 1, (pointer, cells) =>
    pdfium.FPDF_StructElement_Attr_GetNumberValue(value, pointer) === 0 ? Number.NaN : cells().getFloat32(0, true),
  )
}
