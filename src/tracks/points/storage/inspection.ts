import type { Kysely } from 'kysely'
import type { InspectedRow, KeptData } from '#platform/backup/kept-data.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { tracksMigrations } from '../../model/migrations.ts'
import type { ChunkRow, TracksTables } from '../../model/tables.ts'
import { CRC_LENGTH, decodeChunk } from '../chunks/chunk-codec.ts'
import { type PointColumns, pointComparator } from '../point-columns.ts'

/** Tracks and chunks per step of an inspection. */
const TRACKS_PER_STEP = 500
const CHUNKS_PER_STEP = 64

/** A chunk or a fault of a track. */
type InspectedChunk = InspectedRow & { points: number }

/** A fault of one track or one of its chunks. */
type Damage = { track_id: string; first_ts: string | null; problem: string }

type VerifyReport = { tracks: number; chunks: number; points: number; bytes: number; broken: Damage[] }

/** Inspects all tracks, and counts their chunks. */
export async function verifyStorage(db: Kysely<TracksTables>): Promise<VerifyReport> {
  const report: VerifyReport = { tracks: 0, chunks: 0, points: 0, bytes: 0, broken: [] }
  const isDue = () => {
    report.tracks++
    return true
  }
  for await (const { damage, bytes, points } of inspectTracks(db, undefined, isDue)) {
    report.bytes += bytes
    report.points += points
    if (bytes > 0) report.chunks++
    if (damage === undefined) continue
    const [track_id, first_ts = null] = damage.key.split('/')
    report.broken.push({ track_id, first_ts, problem: damage.detail })
  }
  return report
}

/**
 * Reads every chunk of every track that `isDue`, in the order of their ids, and compares it with its row and its track:
 * it must decode, match its checksum, be in order, span the times of its row and overlap no other chunk, and all chunks
 * together must have as many points as the track counts.
 */
async function* inspectTracks(
  db: Kysely<TracksTables>,
  after = '',
  isDue: (trackId: string) => boolean = () => true,
): AsyncGenerator<InspectedChunk> {
  for (let afterId = after; ; ) {
    const tracks = await db
      .selectFrom('tracks')
      .select('id')
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(TRACKS_PER_STEP)
      .execute()
    for (const { id } of tracks) {
      if (isDue(id)) yield* inspectTrack(db, id, afterId || undefined)
      afterId = id
    }
    yield { at: afterId || undefined, damage: undefined, bytes: 0, points: 0 }
    if (tracks.length < TRACKS_PER_STEP) return
  }
}

async function* inspectTrack(
  db: Kysely<TracksTables>,
  id: string,
  at: string | undefined,
): AsyncGenerator<InspectedChunk> {
  const found: { key: string; detail: string }[] = []
  for await (const { fault, bytes, points } of readTrack(db, id)) {
    if (fault !== undefined) found.push(fault)
    yield { at, damage: undefined, bytes, points }
  }
  if (found.length === 0) return
  // Points may have arrived, or chunks been merged, while they were read. Damage is found the next time, too.
  for await (const { fault } of readTrack(db, id))
    if (fault !== undefined && found.some(({ key, detail }) => key === fault.key && detail === fault.detail))
      yield { at, damage: { ...fault, subjectId: id }, bytes: 0, points: 0 }
}

type ReadChunk = { fault: { key: string; detail: string } | undefined; bytes: number; points: number }

async function* readTrack(db: Kysely<TracksTables>, id: string): AsyncGenerator<ReadChunk> {
  const track = await db
    .selectFrom('tracks')
    .select(['point_count', 'last_point_ms'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (track === undefined) return
  let points = 0
  let reachedMs = Number.MIN_SAFE_INTEGER
  for await (const chunk of chunksOf(db, id)) {
    points += chunk.count
    const detail = chunk.first_ms <= reachedMs ? 'overlaps the chunk before it' : problemOf(chunk)
    const fault = detail === undefined ? undefined : { key: chunkKey(id, chunk.first_ms), detail }
    yield { fault, bytes: chunk.bytes.length, points: chunk.count }
    reachedMs = chunk.last_ms
  }
  const whole = { bytes: 0, points: 0 }
  if (points !== track.point_count) {
    const detail = `the track counts ${track.point_count} points, its chunks hold ${points}`
    yield { fault: { key: id, detail }, ...whole }
  } else if (points > 0 && track.last_point_ms !== reachedMs)
    yield { fault: { key: id, detail: 'the time of the last point is not that of the last chunk' }, ...whole }
}

async function* chunksOf(db: Kysely<TracksTables>, trackId: string): AsyncGenerator<ChunkRow> {
  let afterMs = Number.MIN_SAFE_INTEGER
  for (;;) {
    const rows = await db
      .selectFrom('chunks')
      .selectAll()
      .where('track_id', '=', trackId)
      .where('first_ms', '>', afterMs)
      .orderBy('first_ms')
      .limit(CHUNKS_PER_STEP)
      .execute()
    yield* rows
    if (rows.length < CHUNKS_PER_STEP) return
    afterMs = rows[rows.length - 1].first_ms
  }
}

function chunkKey(trackId: string, firstMs: number): string {
  return `${trackId}/${formatDateTime(firstMs)}`
}

/** Returns the chunk that the key of damage names; undefined if it names a whole track. */
function parseChunkKey(key: string): { trackId: string; firstMs: number } | undefined {
  const [trackId, firstTime] = key.split('/')
  return firstTime === undefined ? undefined : { trackId, firstMs: Date.parse(firstTime) }
}

/**
 * Reads a chunk and compares it with its row.
 * @returns the fault; undefined if it is as it was written
 */
function problemOf(chunk: ChunkRow): string | undefined {
  let points: PointColumns
  try {
    points = decodeChunk(chunk.bytes)
  } catch (error) {
    return (error as Error).message
  }
  if (points.count !== chunk.count) return `holds ${points.count} points, its row says ${chunk.count}`
  if (points.timeMs[0] !== chunk.first_ms || points.timeMs[points.count - 1] !== chunk.last_ms)
    return 'does not span the times of its row'
  const compare = pointComparator(points, points)
  for (let i = 1; i < points.count; i++) {
    if (compare(i - 1, i) > 0) return 'is not in order'
  }
  return undefined
}

/** Counts tracks, chunks and points, with the bytes per point on disk. */
export async function storageStats(db: Kysely<TracksTables>, databaseBytes: number) {
  const { tracks } = await db
    .selectFrom('tracks')
    .select((all) => all.fn.countAll<number>().as('tracks'))
    .executeTakeFirstOrThrow()
  const chunks = await db
    .selectFrom('chunks')
    .select((all) => [
      all.fn.countAll<number>().as('chunks'),
      all.fn.coalesce(all.fn.sum<number>('count'), all.lit(0)).as('points'),
      all.fn.coalesce(all.fn.sum<number>('merged'), all.lit(0)).as('merged'),
      all.fn.coalesce(all.fn.sum<number>(all.fn<number>('length', ['bytes'])), all.lit(0)).as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  const points = Number(chunks.points)
  const perPoint = (bytes: number) => (points === 0 ? null : Math.round((bytes / points) * 100) / 100)
  return {
    tracks: Number(tracks),
    points,
    chunks: Number(chunks.chunks),
    merged_chunks: Number(chunks.merged),
    chunk_bytes: Number(chunks.bytes),
    chunk_bytes_per_point: perPoint(Number(chunks.bytes)),
    database_bytes: databaseBytes,
    database_bytes_per_point: perPoint(databaseBytes),
  }
}

/**
 * Replaces the bytes of a damaged chunk by the bytes in a backup, in one statement and only if nothing else has changed
 * the chunk.
 * @param key as `inspectTracks` names it
 * @returns false if the chunk is not damaged itself, or the backup does not have the same one undamaged
 */
async function repairChunk(db: Kysely<TracksTables>, key: string, backup: Kysely<TracksTables>): Promise<boolean> {
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

/**
 * Tells whether the bytes of a damaged chunk once belonged to an undamaged one: they are as long, and either end with
 * the same checksum, so that the damage precedes it, or differ in the checksum alone.
 */
function isSameChunk(damaged: Uint8Array, undamaged: Uint8Array): boolean {
  if (damaged.length !== undamaged.length) return false
  const end = damaged.length - CRC_LENGTH
  const isEqual = (from: number, to?: number) =>
    Buffer.compare(damaged.subarray(from, to), undamaged.subarray(from, to)) === 0
  return isEqual(end) || isEqual(0, end)
}

/** The data of the service, for backups. */
export const keptTracks: KeptData = {
  name: 'tracks',
  migrations: tracksMigrations,
  endedByRestore: [],
  blobs: {},
  folders: [],
  inspectRows: (db, after, isDue) => inspectTracks(db as Kysely<TracksTables>, after, isDue),
  repairRow: (db, key, backup) => repairChunk(db as Kysely<TracksTables>, key, backup as Kysely<TracksTables>),
}
