import { type Kysely, sql } from 'kysely'
import type { ChunkRow, TracksTables } from '../../model/tables.ts'
import { decodeChunk, type EncodedChunk, encodeParts } from '../chunks/chunk-codec.ts'
import type { PointColumns } from '../point-columns.ts'

/** Chunks per read of a long track: a few megabytes decoded with the largest chunks. */
const CHUNKS_PER_PAGE = 32

/** Encodes points as rows to insert. `points` are in canonical order and overlap no stored chunk. */
export function chunkRows(trackId: string, points: PointColumns): ChunkRow[] {
  return encodeParts(points, 'fast').map((chunk) => chunkRow(trackId, chunk))
}

/** Returns the row of a chunk that is not compacted. */
export function chunkRow(trackId: string, { firstMs, lastMs, count, bytes }: EncodedChunk): ChunkRow {
  return { track_id: trackId, first_ms: firstMs, last_ms: lastMs, count, merged: 0, bytes }
}

/** Returns the encoded chunks of a track that begin by a time, in time order; all of them by default. */
export async function readChunks(
  db: Kysely<TracksTables>,
  trackId: string,
  untilMs = Number.POSITIVE_INFINITY,
): Promise<{ count: number; bytes: Uint8Array }[]> {
  return await db
    .selectFrom('chunks')
    .select(['count', 'bytes'])
    .where('track_id', '=', trackId)
    .$if(Number.isFinite(untilMs), (query) => query.where('first_ms', '<=', untilMs))
    .orderBy('first_ms')
    .execute()
}

/** Returns the encoded chunks of whole tracks, in the order of these; each in time order. */
export async function readChunksOfTracks(
  db: Kysely<TracksTables>,
  tracks: readonly { id: string }[],
): Promise<Uint8Array[][]> {
  const ids = tracks.map(({ id }) => id)
  const rows = await db
    .selectFrom('chunks')
    .select(['track_id', 'bytes'])
    .where('track_id', 'in', ids)
    .orderBy('track_id')
    .orderBy('first_ms')
    .execute()
  const byTrack = Map.groupBy(rows, ({ track_id }) => track_id)
  return ids.map((id) => (byTrack.get(id) ?? []).map(({ bytes }) => bytes))
}

/** A reader's position: it has passed all points up to and at this time. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER

/** Some points of a track as they are stored: from place `from` of a chunk up to but not including `to`. */
type StoredPoints = { bytes: Uint8Array; from: number; to: number }

/** Reads at most `limit` points of a track from `offset` on, in order; see `readStoredPoints`. */
export async function* storedPoints(
  db: Kysely<TracksTables>,
  trackId: string,
  offset: number,
  limit: number,
): AsyncGenerator<PointColumns & { from: number; to: number }> {
  for await (const { bytes, from, to } of readStoredPoints(db, trackId, offset, limit)) {
    yield { ...decodeChunk(bytes), from, to }
  }
}

/**
 * Reads at most `limit` points of a track from `offset` on, in order, one chunk at a time. It holds a few chunks
 * however long the track is, and no transaction: between pages it remembers only the time it has reached. Points of one
 * time always lie in one chunk, so chunks may be compacted between pages.
 */
export async function* readStoredPoints(
  db: Kysely<TracksTables>,
  trackId: string,
  offset: number,
  limit: number,
): AsyncGenerator<StoredPoints> {
  let skip = offset
  let left = limit
  let reachedMs = skip > 0 ? await skipChunks() : BEFORE_ALL
  while (left > 0) {
    const page = await nextChunks(db, trackId, reachedMs)
    for (const { bytes, count, ...chunk } of page) {
      const known = chunk.first_ms <= reachedMs ? countUpTo(decodeChunk(bytes), reachedMs) : 0
      const from = Math.min(known + skip, count)
      skip -= from - known
      const to = Math.min(count, from + left)
      left -= to - from
      if (to > from) yield { bytes, from, to }
      reachedMs = chunk.last_ms
      if (left === 0) return
    }
    if (page.length < CHUNKS_PER_PAGE) return
  }

  /** Skips whole chunks by their counts, without reading their points. */
  async function skipChunks(): Promise<number> {
    const heads = db
      .selectFrom('chunks')
      .select(['last_ms', 'count'])
      .where('track_id', '=', trackId)
      .orderBy('first_ms')
    let lastMs = BEFORE_ALL
    for (const head of await heads.execute()) {
      if (head.count > skip) break
      skip -= head.count
      lastMs = head.last_ms
    }
    return lastMs
  }
}

function countUpTo(points: PointColumns, timeMs: number): number {
  let count = 0
  while (count < points.count && points.timeMs[count] <= timeMs) count++
  return count
}

/** Returns the chunks with points later than `reachedMs`. A chunk that was compacted meanwhile can begin before it. */
async function nextChunks(db: Kysely<TracksTables>, trackId: string, reachedMs: number) {
  const containing = sql<number>`coalesce((select max(first_ms) from chunks where track_id = ${trackId} and first_ms <= ${reachedMs}), ${reachedMs})`
  return await db
    .selectFrom('chunks')
    .select(['first_ms', 'last_ms', 'count', 'bytes'])
    .where('track_id', '=', trackId)
    .where('first_ms', '>=', containing)
    .where('last_ms', '>', reachedMs)
    .orderBy('first_ms')
    .limit(CHUNKS_PER_PAGE)
    .execute()
}
