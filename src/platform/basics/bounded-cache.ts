import { LRUCache } from 'lru-cache'

/**
 * Creates a cache of at most so many entries, which forgets the least recently used. It takes memory as it fills: with
 * `max`, all of it would be reserved at once, a sixth of the time that the program takes to start.
 * @param lifeMs time after which an entry is forgotten; 0 for no limit
 */
export function boundedCache<Value extends NonNullable<unknown>>(
  maxEntries: number,
  lifeMs = 0,
): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1, ttl: lifeMs })
}
