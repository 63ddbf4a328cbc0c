import type { Kysely } from 'kysely'
import { formatDateTime } from '#platform/time/date-time.ts'
import { decodeChunk } from '../chunks/chunk-codec.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { pointComparator } from '../points/point-order.ts'
import type { ChunkRow, TracksTables } from './tables.ts'

/** Tracks and chunks per step of an inspection. */
const TRACKS_PER_STEP = 500
const CHUNKS_PER_STEP = 64

/** A fault of one track or one of its chunks. */
type Damage = { track_id: string; first_ts: string | null; problem: string }

type VerifyReport = { tracks: number; chunks: number; points: number; bytes: number; broken: Damage[] }

/**
 * Reads every chunk and compares it with its row and its track: it must decode, match its checksum,
 * be in order, span the times of its row and overlap no other chunk, and all chunks together must
 * have as many points as the track counts.
 */
export async function verifyStorage(db: Kysely<TracksTables>): Promise<VerifyReport> {
  const report: VerifyReport = { tracks: 0, chunks: 0, points: 0, bytes: 0, broken: [] }
  let afterId = ''
  for (;;) {
    const tracks = await db
      .selectFrom('tracks')
      .select(['id', 'point_count', 'last_point_ms'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(TRACKS_PER_STEP)
      .execute()
    for (const track of tracks) await verifyTrack(db, track, report)
    if (tracks.length < TRACKS_PER_STEP) return report
    afterId = tracks[tracks.length - 1].id
  }
}

async function verifyTrack(
  db: Kysely<TracksTables>,
  track: { id: string; point_count: number; last_point_ms: number | null },
  report: VerifyReport,
): Promise<void> {
  report.tracks++
  let points = 0
  let reachedMs = Number.MIN_SAFE_INTEGER
  for await (const chunk of chunksOf(db, track.id)) {
    report.chunks++
    report.bytes += chunk.bytes.length
    points += chunk.count
    const problem = chunk.first_ms <= reachedMs ? 'overlaps the chunk before it' : problemOf(chunk)
    if (problem !== undefined)
      report.broken.push({ track_id: track.id, first_ts: formatDateTime(chunk.first_ms), problem })
    reachedMs = chunk.last_ms
  }
  report.points += points
  if (points !== track.point_count) {
    report.broken.push({
      track_id: track.id,
      first_ts: null,
      problem: `the track counts ${track.point_count} points, its chunks hold ${points}`,
    })
  } else if (points > 0 && track.last_point_ms !== reachedMs) {
    report.broken.push({
      track_id: track.id,
      first_ts: null,
      problem: 'the time of the last point is not that of the last chunk',
    })
  }
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
