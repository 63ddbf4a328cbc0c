import { LRUCache } from 'lru-cache'
import type { Database } from '#platform/database/database.ts'
import type { TracksTables } from '../tables.ts'

/** Each entry takes some hundred bytes; a track needs one while its points arrive. */
const MAX_ENTRIES = 50_000

/** Returns the shard of a track with all its points. */
export type TrackShards = (trackId: string) => Promise<number>

/**
 * Remembers the shards of tracks, so that only the first batch of a track asks the database. Undefined on one machine.
 */
export function createTrackShards({ shardOf }: Database<TracksTables>): TrackShards | undefined {
  if (shardOf === undefined) return undefined
  const known = new LRUCache<string, number>({ max: MAX_ENTRIES })
  return async (trackId) => {
    const shard = known.get(trackId) ?? (await shardOf('tracks', trackId))
    known.set(trackId, shard)
    return shard
  }
}
