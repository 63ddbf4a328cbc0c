import type { ReadableFile } from '../storage/reading-store.ts'
import type { PageAddresses } from './page-addresses.ts'

/** The answers of `GET /publications/:slug/images`, ready to be sent. */
export type ImageLists = {
  /** JSON of `{images}`: the address of every page's image, in page order. */
  jsonOf(file: ReadableFile): Buffer
}

/** A list takes about 110 bytes a page. */
const KEPT_PAGES = 100_000

/**
 * Makes lists of addresses and keeps those asked for last: the addresses of 5,000 pages take some 15 ms to work out,
 * and anyone may ask for them a hundred times a second.
 */
export function createImageLists(pageAddresses: PageAddresses, cdn: () => string): ImageLists {
  const kept = new Map<string, { json: Buffer; pages: number }>()
  let keptPages = 0

  function keep(key: string, json: Buffer, pages: number): void {
    kept.set(key, { json, pages })
    keptPages += pages
    for (const [oldest, list] of kept) {
      if (keptPages <= KEPT_PAGES) return
      kept.delete(oldest)
      keptPages -= list.pages
    }
  }

  return {
    jsonOf(file) {
      const key = `${file.versionId} ${file.epoch}`
      const known = kept.get(key)
      if (known !== undefined) {
        kept.delete(key)
        kept.set(key, known)
        return known.json
      }
      const images = Array.from(
        { length: file.pageCount },
        (_, at) => cdn() + pageAddresses.pathOf({ ...file, page: at + 1 }),
      )
      const json = Buffer.from(JSON.stringify({ images }))
      keep(key, json, file.pageCount)
      return json
    },
  }
}
