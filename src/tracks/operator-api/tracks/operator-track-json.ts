import type { CurrentStatistics } from '../../computing/current-statistics.ts'
import { decodePauses } from '../../domain/pauses.ts'
import { trackNotFound } from '../../errors.ts'
import { momentOrNull } from '../../representations/event-json.ts'
import { trackJson } from '../../representations/track-json.ts'
import type { OperatorTrack } from '../../schemas/operator-track.ts'
import type { OperatorTracksStore } from '../../storage/operator-tracks-store.ts'
import { provenanceOf } from './provenance.ts'

export type OperatorTrackDeps = {
  operatorTracks: Pick<OperatorTracksStore, 'find' | 'firstPointMs'>
  currentStatistics: CurrentStatistics
  titleTimeZone: string
}

/**
 * Represents a track for operators, with its current statistics, unless the client leaves first.
 * @throws trackNotFound
 */
export async function operatorTrackJson(
  deps: OperatorTrackDeps,
  id: string,
  left: AbortSignal,
): Promise<OperatorTrack> {
  const { operatorTracks, currentStatistics, titleTimeZone } = deps
  const found = await operatorTracks.find(id)
  if (found === undefined) throw trackNotFound()
  const { event_name, time_zone, ...row } = found
  const [current, firstPointMs] = await Promise.all([
    currentStatistics(row, 'operator', left),
    operatorTracks.firstPointMs(id),
  ])
  const track = await trackJson(row, async () => current)
  const computed = track.computed_stats ?? track.stats
  const described = current.shown ?? computed
  const { left_out } = described
  const reasons = [
    { reason: 'same_time' as const, count: left_out.same_time_points },
    { reason: 'inaccurate' as const, count: left_out.inaccurate_points },
    { reason: 'spike' as const, count: left_out.spike_points },
  ]
  return {
    ...track,
    event: { id: row.event_id, name: event_name, effective_time_zone: time_zone ?? titleTimeZone },
    first_point_at: momentOrNull(firstPointMs),
    last_point_at: momentOrNull(row.last_point_ms),
    shown_from: momentOrNull(row.shown_from_ms),
    shown_until: momentOrNull(row.shown_until_ms),
    pauses: decodePauses(row.pauses).map(({ fromMs, toMs }) => ({
      from: momentOrNull(fromMs)!,
      to: momentOrNull(Number.isFinite(toMs) ? toMs : null),
    })),
    points_used: reasons.reduce((used, { count }) => used - count, described.points_count),
    points_left_out: reasons,
    altitudes_left_out: left_out.altitudes,
    ...(current.shown && { shown_stats: current.shown }),
    // Statistics that came with a sync describe the whole track.
    provenance: provenanceOf(described, current.shown ? null : row.given_stats),
  }
}
