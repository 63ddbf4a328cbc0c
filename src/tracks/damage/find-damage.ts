import type { Kysely } from 'kysely'
import { formatDateTime } from '#platform/time/date-time.ts'
import { readChunkHeader } from '../chunks/chunk-codec.ts'
import { ChunkDamagedError } from '../chunks/chunk-damaged-error.ts'
import { trackDamaged } from '../errors.ts'
import type { TracksTables } from '../storage/tables.ts'

/** Chunks per query: some hundred kilobytes. */
const CHUNKS_PER_STEP = 16
/** Damaged chunks that an answer names. */
const MAX_NAMED = 20

/** Points of a track that cannot be read, and why. */
type DamagedPart = { from_ts: string; to_ts: string; points: number; problem: string }

/** Reads the chunks of a track one by one, and returns those that are damaged, up to twenty. */
export async function findDamage(db: Kysely<TracksTables>, trackId: string): Promise<DamagedPart[]> {
  const damaged: DamagedPart[] = []
  for (let afterMs = Number.MIN_SAFE_INTEGER; damaged.length < MAX_NAMED; ) {
    const chunks = await db
      .selectFrom('chunks')
      .select(['first_ms', 'last_ms', 'count', 'bytes'])
      .where('track_id', '=', trackId)
      .where('first_ms', '>', afterMs)
      .orderBy('first_ms')
      .limit(CHUNKS_PER_STEP)
      .execute()
    for (const { first_ms, last_ms, count, bytes } of chunks) {
      const problem = damageOf(bytes)
      if (problem === undefined) continue
      damaged.push({ from_ts: formatDateTime(first_ms), to_ts: formatDateTime(last_ms), points: count, problem })
    }
    const last = chunks.at(-1)
    if (last === undefined || chunks.length < CHUNKS_PER_STEP) break
    afterMs = last.first_ms
  }
  return damaged
}

/** Makes the error that names the damaged points of a track. */
export function damagedTrack(trackId: string, damaged: readonly DamagedPart[], cause?: unknown) {
  const points = damaged.reduce((sum, part) => sum + part.points, 0)
  const places = damaged.map(({ from_ts, to_ts }) => `${from_ts} to ${to_ts}`)
  const detail =
    damaged.length === 0
      ? undefined
      : `${points} points of track ${trackId} are damaged and cannot be read: ${places.join(', ')}.`
  return trackDamaged({ ...(detail && { detail }), cause, members: { track_id: trackId, damaged: damaged.map(named) } })
}

function named({ from_ts, to_ts, points, problem }: DamagedPart): string {
  return `${from_ts} to ${to_ts}: ${points} points, ${problem}`
}

/** Throws `trackDamaged` if a chunk of a track cannot be read, before an answer begins that could not end. */
export async function requireUndamaged(db: Kysely<TracksTables>, trackId: string): Promise<void> {
  const damaged = await findDamage(db, trackId)
  if (damaged.length > 0) throw damagedTrack(trackId, damaged)
}

/** Compares the checksum, which takes microseconds, and reads no points. */
function damageOf(bytes: Uint8Array): string | undefined {
  try {
    readChunkHeader(bytes)
    return undefined
  } catch (error) {
    if (error instanceof ChunkDamagedError) return error.reason
    throw error
  }
}
