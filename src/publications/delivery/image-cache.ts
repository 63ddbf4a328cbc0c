import { LRUCache } from 'lru-cache'

/** Memory that an entry takes in addition to its bytes, roughly. */
const ENTRY_BYTES = 1_024

/**
 * Creates a cache of the images delivered last, of at most `maxBytes` in all. An image of more than an eighth of that
 * is not kept: it would take the room of too many others.
 */
export function createImageCache<Image extends { bytes: Buffer }>(maxBytes: number): LRUCache<string, Image> {
  return new LRUCache({
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
  })
}
