import { hash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { gone, invalidFields } from '#platform/basics/errors.ts'
import { type IdempotentAnswer, type IdempotentRequest, runIdempotent } from '#platform/database/idempotency.ts'
import { givenStatistics, newTrackRow } from '../api/create-track.ts'
import type { ApiDeps } from '../api/deps.ts'
import { StatsCreate } from '../api/track-schemas.ts'
import { pointsQuotaReached } from '../model/errors.ts'
import type { TrackRow, TracksTables } from '../model/tables.ts'
import { isBlank } from '../model/titles.ts'
import type { TrackScope } from '../model/track-rows.ts'
import { chunkRow } from '../points/storage/chunks-store.ts'
import type { ReadFile, ReadTrack } from './import-task.ts'
import type { ImportedTrack, ImportQuery, TracksImported } from './schemas.ts'

/** The place of an import, and the wishes of its query. */
type ImportRequest = {
  /** The event, and the person of a token that is bound to one. */
  scope: TrackScope
  query: ImportQuery
  /** Size of the file, for the metrics. */
  fileBytes: number
  idempotencyKey: IdempotentRequest | undefined
}

/** Rows per statement: 6 values each, of the 32,766 that SQLite binds at most. */
const CHUNKS_PER_INSERT = 1_000

/** The response as it is remembered: without texts, which would stay when a track is deleted. */
type RememberedTrack = Pick<ImportedTrack, 'track_id' | 'points_count' | 'points_left_out'>
type Remembered = { tracks: RememberedTrack[]; tracks_left_out: number }

/**
 * Stores all tracks of a file in one transaction, stopped, with the totals of the device as given statistics.
 * @throws invalidFields for a title or an id that several tracks cannot share; deviceTrackIdTaken for a file that was
 *   imported before; tracksQuotaReached, pointsQuotaReached
 */
export async function storeImport(deps: ApiDeps, file: ReadFile, request: ImportRequest) {
  const { db, limits, metrics, compactor, now } = deps
  refuseSharedFields(file, request.query)
  const answer = await runIdempotent(db, request.idempotencyKey, now(), async (transaction) => {
    if (limits.isFull(request.scope.eventId)) throw pointsQuotaReached()
    const tracks: RememberedTrack[] = []
    for (const [i, track] of file.tracks.entries()) {
      const { id } = await storeTrack(transaction, deps, track, { ...request, deviceTrackId: idOf(file, i, request) })
      tracks.push({ track_id: id, points_count: track.pointsCount, points_left_out: track.leftOutCount })
    }
    const body: Remembered = { tracks, tracks_left_out: file.leftOutTracksCount }
    return { status: 201, body, subjectId: tracks[0].track_id }
  })
  const remembered = answer.body as Remembered
  if (!answer.replayed) {
    const points = remembered.tracks.reduce((sum, { points_count }) => sum + points_count, 0)
    metrics.pointsReceived(points, request.fileBytes)
    for (const { track_id } of remembered.tracks) compactor.add(track_id)
  }
  return { ...answer, body: await completed(deps, request.scope, remembered) } satisfies IdempotentAnswer
}

function refuseSharedFields({ tracks }: ReadFile, query: ImportRequest['query']): void {
  if (tracks.length === 1) return
  const shared = (['title', 'device_track_id'] as const).filter((name) => query[name] !== undefined)
  const message = `must be absent for a file with ${tracks.length} tracks`
  if (shared.length > 0) throw invalidFields(shared.map((path) => ({ path, message })))
}

/**
 * Returns the `device_track_id` of a track: of the query, or one that the same file always gets for the same person, so
 * that a file is imported once, and two people can import the same one.
 */
function idOf({ fileSha256 }: ReadFile, index: number, { query, scope }: ImportRequest): string {
  const userId = scope.userId ?? query.user_id ?? null
  const owned = hash('sha256', JSON.stringify([fileSha256, userId]), 'hex').slice(0, 32)
  return query.device_track_id ?? `import-${owned}-${index + 1}`
}

async function storeTrack(
  transaction: Transaction<TracksTables>,
  { tracks, now, titleTimeZone }: ApiDeps,
  track: ReadTrack,
  { scope, query, deviceTrackId }: ImportRequest & { deviceTrackId: string },
): Promise<TrackRow> {
  const { row } = await tracks.create(transaction, scope, ({ time_zone }) => ({
    row: importedRow(
      newTrackRow(
        {
          device_track_id: deviceTrackId,
          title: isBlank(query.title) ? track.title : query.title,
          activity_type: track.activityType ?? query.activity_type,
          user_id: query.user_id,
        },
        {
          scope,
          nowMs: now(),
          titleTimeZone: time_zone ?? titleTimeZone,
          state: 'stopped',
          pointTimes: track,
        },
      ),
      track,
    ),
  }))
  const chunks = track.chunks.map((chunk) => chunkRow(row.id, chunk))
  for (let start = 0; start < chunks.length; start += CHUNKS_PER_INSERT) {
    await transaction
      .insertInto('chunks')
      .values(chunks.slice(start, start + CHUNKS_PER_INSERT))
      .execute()
  }
  return row
}

function importedRow(newRow: TrackRow, { totals, pointsCount, lastMs, chunks }: ReadTrack): TrackRow {
  return {
    ...newRow,
    given_stats: givenStatistics(totals, Object.keys(StatsCreate.properties)),
    point_count: pointsCount,
    last_point_ms: lastMs,
    loose_chunks: chunks.length,
  }
}

/** Adds to a remembered response what the tracks are called. @throws gone if one of them has been deleted since */
async function completed({ tracks }: ApiDeps, scope: TrackScope, remembered: Remembered): Promise<TracksImported> {
  const complete: ImportedTrack[] = []
  for (const { track_id, ...counts } of remembered.tracks) {
    const row = await tracks.find(scope, track_id)
    if (row === undefined)
      throw gone({ detail: 'The request with this Idempotency-Key created what is deleted by now.' })
    const { device_track_id, title, activity_type } = row
    complete.push({ track_id, device_track_id, title, activity_type, ...counts })
  }
  return { tracks: complete, tracks_left_out: remembered.tracks_left_out }
}
