import { type Encoding, packPage } from './packed-page.ts'

/** A page as it was written, with the header that goes with it. */
export type WrittenPage = { html: string; preload: string; packed?: Partial<Record<Encoding, Promise<Buffer>>> }

/** Pages that were asked for last. */
export type KeptPages = {
  find(etag: string): WrittenPage | undefined
  keep(etag: string, page: WrittenPage): void
}

/** A book of 352 pages takes a million characters, which may be two bytes each, and half as much compressed. */
const MAX_CHARACTERS = 16_000_000

/**
 * Keeps written pages by what names their state: the page of a book takes 30 ms to write, anyone may ask for it, and it
 * is the same for all.
 */
export function createKeptPages(maxCharacters = MAX_CHARACTERS): KeptPages {
  const kept = new Map<string, WrittenPage>()
  let characters = 0

  function forget(etag: string): void {
    characters -= kept.get(etag)?.html.length ?? 0
    kept.delete(etag)
  }

  return {
    find(etag) {
      const page = kept.get(etag)
      if (page === undefined) return undefined
      // Last in the order of the map is last to be forgotten.
      kept.delete(etag)
      kept.set(etag, page)
      return page
    },

    keep(etag, page) {
      forget(etag)
      kept.set(etag, page)
      characters += page.html.length
      for (const oldest of kept.keys()) {
        if (characters <= maxCharacters) return
        forget(oldest)
      }
    },
  }
}

/** A page compressed, which is done once while it is kept. */
export async function packedOnce(page: WrittenPage, encoding: Encoding): Promise<Buffer> {
  page.packed ??= {}
  page.packed[encoding] ??= packPage(page.html, encoding)
  return await page.packed[encoding]
}
