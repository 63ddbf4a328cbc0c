import { SaxesParser } from 'saxes'

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

/** Bytes decoded at once, so that a reader stops early in a file that it refuses. */
const PIECE_BYTES = 65_536
/** A declaration stands at the beginning of a file. */
const DECLARATION_BYTES = 200

/** Bytes that are no text in the encoding that the file states. The message continues "The file …". */
class XmlEncodingError extends Error {
  override name = 'XmlEncodingError'
}

/**
 * Decodes an XML file piece by piece, in the encoding of its byte order mark, its first bytes or its declaration (XML
 * 1.0, appendix F): UTF-8, UTF-16, ISO-8859-1 and whatever else the Encoding Standard names.
 * @throws XmlEncodingError for an unknown encoding, and for bytes that are not in it
 */
function* decodeXml(bytes: Uint8Array): Generator<string> {
  const decoder = decoderFor(bytes)
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? new XmlEncodingError(`is not text in ${decoder.encoding}`) : error
  }
}

function decoderFor(bytes: Uint8Array): TextDecoder {
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined) return new TextDecoder(utf16, { fatal: true })
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES))
  const [, declared = 'utf-8'] = /^\s*(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(head) ?? []
  // A declaration that was readable byte by byte is not in UTF-16. Some programs convert a file and leave the word.
  const encoding = /^utf-?16/i.test(declared) ? 'utf-8' : declared
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new XmlEncodingError(`is in an unknown encoding, ${declared}`)
  }
}

/** Returns the byte order of UTF-16, by its mark or by its first character, which is `<`. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  return undefined
}
