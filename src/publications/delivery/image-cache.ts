import { LRUCache } from 'lru-cache'

/** Something that is kept in memory by its bytes. */
export type Sized = { bytes: Buffer }

/** Memory that an entry takes in addition to its bytes, roughly. */
const ENTRY_BYTES = 1_024

/**
 * Creates a cache of the images delivered last, of at most `maxBytes` in all. An image of more than an eighth of that is
 * not kept: it would take the room of too many others.
 */
export function createImageCache<Image extends Sized>(maxBytes: number): LRUCache<string, Image> {
  return new LRUCache({
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
  })
}
