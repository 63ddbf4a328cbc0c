import type { Kysely } from 'kysely'
import { formatDateTime } from '#platform/basics/time.ts'
import { type Finding, findingsOf } from '#platform/doctor/finding.ts'
import { trackDamaged } from '../../model/errors.ts'
import type { TracksTables } from '../../model/tables.ts'
import { ChunkDamagedError } from '../chunks/bytes.ts'
import { readChunkHeader } from '../chunks/chunk-codec.ts'

/** Chunks per query: some hundred kilobytes. */
const CHUNKS_PER_STEP = 16
/** Damaged chunks that an answer names. */
const MAX_NAMED = 20

/** Points of a track that cannot be read, and why. */
type DamagedPart = { from_ts: string; to_ts: string; points: number; problem: string }

/** Reads the chunks of a track one by one, and returns damaged ones, up to twenty. */
async function findDamage(db: Kysely<TracksTables>, trackId: string): Promise<DamagedPart[]> {
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
export async function damageOfTrack(db: Kysely<TracksTables>, trackId: string, cause: unknown) {
  return damagedTrack(trackId, await findDamage(db, trackId), cause)
}

function damagedTrack(trackId: string, damaged: readonly DamagedPart[], cause?: unknown) {
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

const { ok, warning, error } = findingsOf('points')

/** Time for reading chunks, within the time of a part. A disk reads some gigabytes meanwhile. */
const READ_WITHIN_MS = 20_000
/** Damaged chunks that are named. `storage verify` names all. */
const MAX_NAMED_BY_DOCTOR = 5

/** A chunk as it is stored. */
type StoredChunk = { track_id: string; first_ms: number; bytes: Uint8Array }

/** Compares the checksum of each chunk of points, as many as there is time for. */
export async function checkChunks(chunks: AsyncIterable<StoredChunk> | Iterable<StoredChunk>): Promise<Finding[]> {
  const untilMs = performance.now() + READ_WITHIN_MS
  let count = 0
  let isCutShort = false
  const damaged: string[] = []
  for await (const { track_id, first_ms, bytes } of chunks) {
    if (performance.now() > untilMs) {
      isCutShort = true
      break
    }
    count++
    const problem = damageOf(bytes)
    if (problem === undefined) continue
    damaged.push(`track ${track_id} from ${formatDateTime(Number(first_ms))} (${problem})`)
  }
  if (damaged.length > 0) return [damageFinding(damaged)]
  if (!isCutShort) return [ok('chunks', `${count} read, none damaged.`)]
  return [warning('chunks', `${count} read in time, none damaged.`, 'Run storage verify, which reads all of them.')]
}

function damageFinding(damaged: readonly string[]): Finding {
  const named = damaged.slice(0, MAX_NAMED_BY_DOCTOR).join('; ')
  const more = damaged.length > MAX_NAMED_BY_DOCTOR ? `; and ${damaged.length - MAX_NAMED_BY_DOCTOR} more` : ''
  return error(
    'chunks',
    `${damaged.length} damaged: ${named}${more}.`,
    'Run storage verify for the whole list, look for a failing disk, and then run storage repair with the folder of backups.',
  )
}
