import { SaxesParser } from 'saxes'
import { decodeXml, XmlEncodingError } from './xml-encoding.ts'

/** TCX and KML are nested ten deep; extensions add a few. */
const MAX_DEPTH = 64
/** The largest recording with the shortest points has two million. Reading more only takes time. */
const MAX_ELEMENTS = 5_000_000
/** KML documents declare some twenty namespaces. */
const MAX_ATTRIBUTES = 256
/** Of longer texts, such as the coordinates of a map, the beginning is read. Titles and summaries are shorter. */
const MAX_TEXT_LENGTH = 4096

/** A file that is not read to its end. The message continues "The file …". */
export class XmlFileError extends Error {
  override name = 'XmlFileError'
  readonly reason: 'malformed' | 'document_type' | 'too_much' | 'unknown_format'

  constructor(reason: XmlFileError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** An element that closes: its name and attributes without prefixes, and the text directly in it, trimmed and cut. */
export type XmlElement = { name: string; attributes: ReadonlyMap<string, string>; text: string }

/** Callbacks for the parts of a document; `parents` are the names from the root down to the element's parent. */
type XmlVisitor = {
  open?: (element: Omit<XmlElement, 'text'>, parents: readonly string[]) => void
  close: (element: XmlElement, parents: readonly string[]) => void
}

type OpenElement = { name: string; attributes: ReadonlyMap<string, string>; text: string }

/**
 * Reads a document from start to end. Prefixes are dropped and need not be declared, because devices
 * write namespaces that they do not declare.
 * @throws XmlFileError if the file is not well-formed, ends early or has another root; for document types and thus
 *   entities, deep nesting, and very many elements or attributes
 */
export function walkXml(bytes: Uint8Array, root: string, visitor: XmlVisitor): void {
  const parser = new SaxesParser({ xmlns: false })
  const names: string[] = []
  const elements: OpenElement[] = []
  let attributeCount = 0
  let elementCount = 0
  parser.on('error', ({ message }) => {
    throw new XmlFileError('malformed', `is not well-formed XML: ${message.slice(0, 200)}`)
  })
  parser.on('doctype', () => {
    throw new XmlFileError('document_type', 'has a document type, which is refused')
  })
  parser.on('opentagstart', () => {
    attributeCount = 0
    if (++elementCount > MAX_ELEMENTS)
      throw new XmlFileError('too_much', `has more than ${MAX_ELEMENTS.toLocaleString('en')} elements`)
    if (names.length === MAX_DEPTH) throw new XmlFileError('too_much', `is nested deeper than ${MAX_DEPTH} elements`)
  })
  parser.on('attribute', () => {
    if (++attributeCount > MAX_ATTRIBUTES)
      throw new XmlFileError('too_much', `has more than ${MAX_ATTRIBUTES} attributes in a tag`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    const pairs = Object.entries(attributes).map(([key, value]) => [localName(key), value] as const)
    const element = { name: localName(name), attributes: new Map(pairs), text: '' }
    if (names.length === 0 && element.name !== root)
      throw new XmlFileError('unknown_format', `has no ${root} element at its root`)
    visitor.open?.(element, names)
    names.push(element.name)
    elements.push(element)
  })
  const addText = (text: string) => {
    const element = elements.at(-1)
    if (element !== undefined && element.text.length <= MAX_TEXT_LENGTH) element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    names.pop()
    const { name, attributes, text } = elements.pop()!
    visitor.close({ name, attributes, text: text.slice(0, MAX_TEXT_LENGTH).trim() }, names)
  })
  writeAll(parser, bytes)
}

function writeAll(parser: SaxesParser, bytes: Uint8Array): void {
  try {
    for (const piece of textOf(bytes)) parser.write(piece)
  } catch (error) {
    throw error instanceof XmlEncodingError ? new XmlFileError('malformed', error.message) : error
  }
  parser.close()
}

/** Yields the text from its first character on: TCX files from Strava's archive have spaces before the declaration. */
function* textOf(bytes: Uint8Array): Generator<string> {
  let isBegun = false
  for (const piece of decodeXml(bytes)) {
    const text: string = isBegun ? piece : piece.trimStart()
    isBegun ||= text !== ''
    yield text
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
