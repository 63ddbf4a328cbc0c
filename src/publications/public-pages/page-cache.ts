import { LRUCache } from 'lru-cache'
import { type Encoding, packPage } from './packed-page.ts'

/**
 * The HTML of a page with its `Link` header, and the HTML compressed in the encodings requested so far. The bytes are
 * shared by all answers, so that clients who read slowly do not each hold a copy.
 */
export type WrittenPage = { html: Buffer; preload: string; packed?: Partial<Record<Encoding, Promise<Buffer>>> }

/** Pages by ETag, of which the least recently used are dropped. */
export type PageCache = LRUCache<string, WrittenPage>

/** A book of 352 pages takes a million bytes, and half as much compressed. */
const MAX_BYTES = 32_000_000

/**
 * Makes a cache of written pages. The page of a book takes 30 ms to write, anyone may
 * request it, and it is the same for everyone.
 */
export function createPageCache(maxBytes = MAX_BYTES): PageCache {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ html }) => Math.max(html.length, 1) })
}

/** Compresses a page, once for each encoding while it is cached. */
export async function packedOnce(page: WrittenPage, encoding: Encoding): Promise<Buffer> {
  page.packed ??= {}
  page.packed[encoding] ??= packPage(page.html, encoding)
  return await page.packed[encoding]
}
