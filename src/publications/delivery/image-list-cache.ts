import { LRUCache } from 'lru-cache'
import type { ReadableFile } from '../storage/reading-store.ts'
import type { PageAddresses } from './page-addresses.ts'

/** The answers of `GET /publications/:slug/images`, ready to be sent. */
export type ImageLists = {
  /** JSON of `{images}`: the address of every page's image, in page order. */
  jsonOf(file: ReadableFile): Buffer
}

/** A list takes about 110 bytes a page. */
const MAX_PAGES = 100_000

/**
 * Makes lists of addresses and keeps those asked for last: the addresses of 5,000 pages take some 15 ms to work out,
 * and anyone may ask for them a hundred times a second.
 */
export function createImageLists(pageAddresses: PageAddresses, cdn: () => string): ImageLists {
  const lists = new LRUCache<string, Buffer>({ maxSize: MAX_PAGES })

  return {
    jsonOf(file) {
      const key = `${file.versionId} ${file.epoch}`
      const known = lists.get(key)
      if (known !== undefined) return known
      const images = Array.from(
        { length: file.pageCount },
        (_, at) => cdn() + pageAddresses.pathOf({ ...file, page: at + 1 }),
      )
      const json = Buffer.from(JSON.stringify({ images }))
      lists.set(key, json, { size: file.pageCount })
      return json
    },
  }
}
