import { LRUCache } from 'lru-cache'
import type { VersionFile } from '../storage/files-store.ts'
import type { PageAddresses } from './page-addresses.ts'

/** The answers of `GET /publications/:slug/images`, ready to be sent. */
export type ImageListCache = {
  /** Returns the JSON of `{images}`: the address of every page's image, in page order. */
  jsonOf(file: VersionFile): Buffer
}

/** A list takes about 110 bytes per page. */
const MAX_PAGES = 100_000

/**
 * Builds lists of addresses and keeps the most recently used: computing the addresses of 5,000 pages takes about 15 ms,
 * and anyone may request them a hundred times a second.
 */
export function createImageListCache(pageAddresses: Pick<PageAddresses, 'pathOf'>, cdn: () => string): ImageListCache {
  const kept = new LRUCache<string, { json: Buffer; pages: number }>({
    maxSize: MAX_PAGES,
    sizeCalculation: ({ pages }) => pages,
  })

  function build(file: VersionFile): Buffer {
    const images = Array.from(
      { length: file.pageCount },
      (_, at) => cdn() + pageAddresses.pathOf({ ...file, page: at + 1 }),
    )
    return Buffer.from(JSON.stringify({ images }))
  }

  return {
    jsonOf(file) {
      const key = `${file.versionId} ${file.epoch}`
      const known = kept.get(key)
      if (known !== undefined) return known.json
      const json = build(file)
      kept.set(key, { json, pages: file.pageCount })
      return json
    },
  }
}
