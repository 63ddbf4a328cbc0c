import { deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'

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
const NO_LINKS_BYTES = deflateRawSync('[]', { level: LEVEL }).length
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
