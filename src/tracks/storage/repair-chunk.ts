import type { Kysely } from 'kysely'
import { isSameChunk } from '../chunks/is-same-chunk.ts'
import { parseChunkKey, problemOf } from './inspect-chunks.ts'
import type { ChunkRow, TracksTables } from './tables.ts'

/**
 * Puts the bytes that a backup has of a damaged chunk in the place of those that the database has, in one statement and
 * only if nothing else has changed the chunk.
 * @param key as `inspectTracks` names it
 * @returns false if the chunk is not damaged itself, or the backup does not have the same one undamaged
 */
export async function repairChunk(
  db: Kysely<TracksTables>,
  key: string,
  backup: Kysely<TracksTables>,
): Promise<boolean> {
  const place = parseChunkKey(key)
  if (place === undefined) return false
  const [damaged, copy] = [await findChunk(db, place), await findChunk(backup, place)]
  if (damaged === undefined || problemOf(damaged) === undefined) return false
  if (copy === undefined || problemOf(copy) !== undefined || !isSame(damaged, copy)) return false
  const { numUpdatedRows } = await db
    .updateTable('chunks')
    .set({ bytes: copy.bytes })
    .where('track_id', '=', place.trackId)
    .where('first_ms', '=', place.firstMs)
    .where('bytes', '=', damaged.bytes)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

async function findChunk(db: Kysely<TracksTables>, { trackId, firstMs }: { trackId: string; firstMs: number }) {
  return await db
    .selectFrom('chunks')
    .selectAll()
    .where('track_id', '=', trackId)
    .where('first_ms', '=', firstMs)
    .executeTakeFirst()
}

function isSame(damaged: ChunkRow, copy: ChunkRow): boolean {
  return damaged.last_ms === copy.last_ms && damaged.count === copy.count && isSameChunk(damaged.bytes, copy.bytes)
}
