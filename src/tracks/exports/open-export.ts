import type { Kysely } from 'kysely'
import { decodeChunk } from '../chunks/chunk-codec.ts'
import type { Asker } from '../computing/computing-turns.ts'
import type { CurrentStatistics } from '../computing/current-statistics.ts'
import { requireUndamaged } from '../damage/find-damage.ts'
import { decodePauses } from '../domain/pauses.ts'
import { exportImpossible } from '../errors.ts'
import type { StatisticsJson } from '../statistics/statistics-to-json.ts'
import { readStoredPoints } from '../storage/chunks-store.ts'
import type { OperatorTracksStore } from '../storage/operator-tracks-store.ts'
import type { TrackRow, TracksTables } from '../storage/tables.ts'
import type { ExportFormat } from './export-formats.ts'
import type { ExportedTrack, StoredPage, TrackTotals } from './track/exported-track.ts'

export type ExportDeps = {
  db: Kysely<TracksTables>
  operatorTracks: Pick<OperatorTracksStore, 'firstPointMs'>
  currentStatistics: CurrentStatistics
}

/**
 * Returns the pieces of a track's file. All points go in, also those that statistics leave out.
 * @param left aborts when nobody waits for the file any more
 * @throws trackDamaged; exportImpossible if the format cannot hold the track, unavailable if too many computations wait
 */
export async function openExport(
  deps: ExportDeps,
  row: TrackRow,
  { hasTotals, refusal, write }: ExportFormat,
  asker: Asker,
  left?: AbortSignal,
): Promise<AsyncGenerator<string | Uint8Array>> {
  if (refusal !== undefined) {
    const firstPointMs = await deps.operatorTracks.firstPointMs(row.id)
    const detail = refusal({ pointCount: row.point_count, firstPointMs, lastPointMs: row.last_point_ms })
    if (detail !== undefined) throw exportImpossible({ detail })
  }
  await requireUndamaged(deps.db, row.id)
  return write({
    id: row.id,
    title: row.title,
    activityType: row.activity_type,
    startMs: row.start_ms,
    lastPointMs: row.last_point_ms,
    pointCount: row.point_count,
    pauses: decodePauses(row.pauses),
    totals: hasTotals ? await totalsOf(deps, row, asker, left) : {},
    pages: allPoints(deps, row),
  } satisfies ExportedTrack)
}

/** Returns the figures that the API shows: given ones before computed ones. */
async function totalsOf(deps: ExportDeps, row: TrackRow, asker: Asker, left?: AbortSignal): Promise<TrackTotals> {
  const { statistics } = await deps.currentStatistics(row, asker, left)
  const given: Partial<StatisticsJson> = row.given_stats === null ? {} : JSON.parse(row.given_stats)
  const shown = { ...statistics, ...given }
  return {
    distanceMeters: shown.distance_meters,
    durationSec: shown.duration_sec,
    pausedSec: shown.paused_time_sec,
    ascentMeters: shown.elevation_gain_m,
    descentMeters: shown.elevation_loss_m,
    meanSpeedMps: shown.mean_speed_mps,
    maxSpeedMps: shown.max_speed_mps,
  }
}

/**
 * Reads all points. If the track is deleted meanwhile, the file breaks off instead of ending as if it were complete.
 */
async function* allPoints({ db }: ExportDeps, row: TrackRow): AsyncGenerator<StoredPage> {
  let count = 0
  for await (const { bytes, from, to } of readStoredPoints(db, row.id, 0, Number.POSITIVE_INFINITY)) {
    yield { from, to, unpack: () => decodeChunk(bytes) }
    count += to - from
  }
  if (count < row.point_count) throw new Error(`track ${row.id} gave ${count} points of ${row.point_count}`)
}
