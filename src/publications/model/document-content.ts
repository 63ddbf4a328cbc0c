import { deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import type { PageSize } from './image-forms.ts'

/** The facts of a document that are known without rendering it. */
export type DocumentFacts = {
  pageCount: number
  pages: PageFacts[]
  outline: OutlineEntry[]
  metadata: Metadata
  /** A language tag such as `de-CH`, as the file states it. */
  language?: string
  /** The language of the text, if the file states none and most of the text is in one language. */
  detectedLanguage?: string
  /** Set if the file says that its pages turn from right to left. */
  isRightToLeft?: true
  /** True if the file describes its own structure, headings and reading order. */
  isTagged: boolean
  /** Set for a form: `fillable`, or `acrobat` if other programs show no more than a notice. */
  form?: 'fillable' | 'acrobat'
  /** Files attached to the document; absent without any. */
  attachments?: AttachedFile[]
  findings: Finding[]
}

/** A file within a PDF: `2` is the second of the document, `12-4` belongs to the fourth annotation of page 12. */
export type AttachedFile = { id: string; name: string }

/** A comment on a page with its place: a text, or a file that is attached there. */
export type PageComment = Box & { text: string; file?: AttachedFile }

/**
 * The size of a page as shown, after rotation. `label` is the document's own name for the page, unless it is its
 * number.
 */
export type PageFacts = PageSize & { label?: string }

/** An entry of the table of contents; `depth` 0 is the outermost, and an entry belongs to the last shallower one. */
export type OutlineEntry = { title: string; depth: number; page?: number; uri?: string }

/** An entry with the deeper ones that belong to it. */
export type OutlineBranch = { entry: OutlineEntry; branches: OutlineBranch[] }

/** Builds the tree of entries: each belongs to the last shallower one before it. */
export function outlineTree(entries: readonly OutlineEntry[]): OutlineBranch[] {
  const roots: OutlineBranch[] = []
  const path: OutlineBranch[] = []
  for (const entry of entries) {
    while (path.length > 0 && path.at(-1)!.entry.depth >= entry.depth) path.pop()
    const branch = { entry, branches: [] }
    const siblings = path.at(-1)?.branches ?? roots
    siblings.push(branch)
    path.push(branch)
  }
  return roots
}

export type Metadata = { title?: string; author?: string; subject?: string; keywords?: string; createdAt?: string }

/**
 * An ability of a file that a reader may want to know of before opening it. Rendering never carries any of them out.
 */
export type Finding = 'javascript' | 'launch_action' | 'open_action' | 'attachments' | 'encrypted' | 'xfa_form'

/** A rectangle on the page as shown, measured from its top left corner in fractions of its width and height, 0 to 1. */
export type Box = { x: number; y: number; width: number; height: number }

/** A word on a page. Words with the same `line` share a line, numbered from 0 in the order of the text. */
export type Word = Box & { text: string; line: number }

/** The target of a link or an outline entry: a page (the first is 1), or an address. */
export type Target = { page: number; uri?: never } | { uri: string; page?: never }

/** An area of a page that links to another page of the document, or to an address. */
export type PageLink = Box & Target

/** The words of a page with their boxes, and its links. */
export type PageContent = { words: Word[]; links: PageLink[] }

/** Version of the stored form. */
const FORM = 1
/** The form, then the length of the links. The links follow. */
export const HEAD_BYTES = 5
/** Every rendered page is deflated; higher levels take longer and save little on numbers. */
const LEVEL = 1
/** Size of the packed links of a page without any. */
const NO_LINKS_BYTES = 4
/** Unpacked links of a page: its 2,000 links with addresses of 900 characters. More are an attack. */
const MAX_LINKS_BYTES = 2_097_152

/**
 * Encodes the content of a page for storage: links and words as JSON, deflated separately, because the public page
 * needs the links of hundreds of pages at once and none of the words.
 */
export function encodePageContent({ words, links }: PageContent): Uint8Array {
  const [packedLinks, packedWords] = [links, words].map((part) =>
    deflateRawSync(JSON.stringify(part), { level: LEVEL }),
  )
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt8(FORM, 0)
  head.writeUInt32LE(packedLinks.length, 1)
  return Buffer.concat([head, packedLinks, packedWords])
}

/**
 * Returns stored content with other words and the same links.
 * @throws Error for bytes of an unknown form
 */
export function withWords(stored: Uint8Array, words: readonly Word[]): Uint8Array {
  const wordsAt = HEAD_BYTES + headOf(stored).readUInt32LE(1)
  return Buffer.concat([stored.subarray(0, wordsAt), deflateRawSync(JSON.stringify(words), { level: LEVEL })])
}

/**
 * Decodes the output of `encodePageContent` to the JSON of words and links. The words of a dense page take two
 * megabytes, which are unpacked in the thread pool and not parsed.
 * @throws Error for bytes of an unknown form
 */
export async function pageContentJson(stored: Uint8Array): Promise<{ words: Buffer; links: Buffer }> {
  const [links, words] = await Promise.all(partsOf(stored).map(inflateInPool))
  return { words, links }
}

/**
 * Returns the size of the pieces in which packed bytes are unpacked. Each piece is a turn of the main thread: in the
 * default 16 kB a dense page takes four times as long.
 */
function chunkBytes(packedBytes: number): number {
  return Math.min(Math.max(4 * packedBytes, 1_024), 1_048_576)
}

/**
 * Returns the size of the packed links from the first `HEAD_BYTES`; 0 if there are none.
 * @throws Error like `pageContentJson`
 */
export function packedLinksBytes(head: Uint8Array): number {
  const bytes = headOf(head).readUInt32LE(1)
  return bytes <= NO_LINKS_BYTES ? 0 : bytes
}

/** Unpacks links, which are the `packedLinksBytes` that follow the head. Returns none if they take more than 2 MiB. */
export function unpackLinks(packed: Uint8Array): PageLink[] {
  try {
    return JSON.parse(inflateRawSync(packed, { maxOutputLength: MAX_LINKS_BYTES }).toString()) as PageLink[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return []
    throw error
  }
}

function partsOf(stored: Uint8Array): [links: Buffer, words: Buffer] {
  const bytes = headOf(stored)
  const wordsAt = HEAD_BYTES + bytes.readUInt32LE(1)
  return [bytes.subarray(HEAD_BYTES, wordsAt), bytes.subarray(wordsAt)]
}

function headOf(stored: Uint8Array): Buffer {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  if (bytes.length < HEAD_BYTES || bytes[0] !== FORM) throw new Error('This is not the stored content of a page')
  return bytes
}

function inflateInPool(packed: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  inflateRaw(packed, { chunkSize: chunkBytes(packed.length) }, (error, bytes) =>
    error === null ? resolve(bytes) : reject(error),
  )
  return promise
}

/**
 * An element of a page's structure tree (ISO 32000-1, 14.7.2), by its standard type such as `H1` or `TD`. Its content,
 * in reading order: further elements, and marks, the numbers of marked content that words carry.
 */
export type StructureNode = {
  type: string
  /** A text in place of a picture, and one in place of the words. */
  alternative?: string
  replacement?: string
  /** A language tag, where the element states one. */
  language?: string
  /** Columns and rows that a cell spans; 1 where absent. */
  columns?: number
  rows?: number
  /** True for a list whose items are numbered. */
  isNumbered?: boolean
  content: (StructureNode | number)[]
}

/** The structure tree of a page, and the mark of each of its words; -1 for a word without one. */
export type PageStructure = { roots: StructureNode[]; marks: number[] }

/** A cell of a table: its place in the row, and whether it is a header. */
type CellRole = { kind: 'cell'; begins?: 'table' | 'row'; isHeader: boolean; columns: number; rows: number }

/** The part that a paragraph of a page's text plays. Depths and levels begin with 1. */
export type Role = { language?: string } & (
  | { kind: 'paragraph' | 'quote' | 'figure' }
  | { kind: 'heading'; level: number }
  | { kind: 'item'; depth: number; isNumbered: boolean }
  | CellRole
)

/** A paragraph with its part; cells without text have a part only. */
export type Block = { role: Role; text: string }

const PLAIN: Role = { kind: 'paragraph' }
const TOKEN =
  /^(?:(p|q|f)|h([1-6])|([lo])([1-9])|(\/{0,2})(td|th)(?:(\d{1,3})x(\d{1,3}))?(-?))(?:@([A-Za-z0-9-]{1,35}))?$/

/**
 * Encodes the parts that the paragraphs of a page play, a word for each: `h1 p l1 l2 //th th /td td-`. Lists have a
 * depth, and `/` and `//` begin a row and a table. A cell with `-` has no text, and no paragraph.
 */
export function encodeRoles(roles: readonly Role[], isEmpty: (at: number) => boolean): string {
  return roles.map((role, at) => tokenOf(role, isEmpty(at))).join(' ')
}

function tokenOf(role: Role, isEmpty: boolean): string {
  return `${part()}${role.language === undefined ? '' : `@${role.language}`}`

  function part(): string {
    if (role.kind === 'heading') return `h${role.level}`
    if (role.kind === 'item') return `${role.isNumbered ? 'o' : 'l'}${role.depth}`
    if (role.kind === 'cell') return cellToken(role, isEmpty)
    return role.kind[0]
  }
}

function cellToken({ begins, isHeader, columns, rows }: CellRole, isEmpty: boolean): string {
  const slashes = begins === 'table' ? '//' : begins === 'row' ? '/' : ''
  const span = columns === 1 && rows === 1 ? '' : `${columns}x${rows}`
  return `${slashes}${isHeader ? 'th' : 'td'}${span}${isEmpty ? '-' : ''}`
}

/**
 * Joins the paragraphs of a page with the parts that they play. Encoded parts may have been cut off, or belong to an
 * earlier rendering; further paragraphs are plain.
 */
export function blocksOf(paragraphs: readonly string[], encodedRoles: string | null): Block[] {
  const blocks: Block[] = []
  let next = 0
  for (const token of encodedRoles?.split(' ') ?? []) {
    const { role, isEmpty } = parseToken(token)
    if (!isEmpty && next === paragraphs.length) break
    blocks.push({ role, text: isEmpty ? '' : paragraphs[next++] })
  }
  for (; next < paragraphs.length; next++) blocks.push({ role: PLAIN, text: paragraphs[next] })
  return blocks
}

function parseToken(token: string): { role: Role; isEmpty: boolean } {
  const [, simple, level, list, depth, slashes, cell, columns, rows, empty, language] = TOKEN.exec(token) ?? []
  return { role: { ...part(), ...(language !== undefined && { language }) }, isEmpty: empty === '-' }

  function part(): Role {
    if (level !== undefined) return { kind: 'heading', level: Number(level) }
    if (list !== undefined) return { kind: 'item', depth: Number(depth), isNumbered: list === 'o' }
    if (simple === 'q') return { kind: 'quote' }
    if (simple === 'f') return { kind: 'figure' }
    if (cell === undefined) return PLAIN
    const begins = slashes === '//' ? 'table' : slashes === '/' ? 'row' : undefined
    return { kind: 'cell', begins, isHeader: cell === 'th', columns: Number(columns ?? 1), rows: Number(rows ?? 1) }
  }
}

/** A dense newspaper page has about 60,000 characters. A page beyond this is an attack, or a map. */
export const MAX_PAGE_CHARACTERS = 120_000

/** Fifty books. Beyond this a search would take more than two seconds. */
export const MAX_DOCUMENT_CHARACTERS = 50_000_000

/** Every page may keep this much, more than two dense pages of a book, however many pages there are. */
const MIN_PAGE_CHARACTERS = 10_000

/**
 * Returns the number of characters that each page of a document may keep: its share of the document's limit. The share
 * does not depend on other pages, which may be rendered later and by another instance.
 */
export function pageCharacters(pageCount: number): number {
  const share = Math.floor(MAX_DOCUMENT_CHARACTERS / Math.max(1, pageCount))
  return Math.min(MAX_PAGE_CHARACTERS, Math.max(MIN_PAGE_CHARACTERS, share))
}
