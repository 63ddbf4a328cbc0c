import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { CurrentStatistics } from '../../computing/current-statistics.ts'
import { decodePauses } from '../../domain/pauses.ts'
import { trackNotFound } from '../../errors.ts'
import { momentOrNull } from '../../representations/event-json.ts'
import { trackJson } from '../../representations/track-json.ts'
import { OperatorTrack } from '../../schemas/operator-track.ts'
import { TrackParams } from '../../schemas/track.ts'
import type { OperatorTracksStore } from '../../storage/operator-tracks-store.ts'
import { provenanceOf } from './provenance.ts'

type Deps = {
  operatorTracks: Pick<OperatorTracksStore, 'find'>
  currentStatistics: CurrentStatistics
}

/** GET /operator/tracks/:id */
export function getTrack(app: HttpServer, { operatorTracks, currentStatistics }: Deps) {
  app.get(
    '/operator/tracks/:id',
    {
      schema: {
        operationId: 'operatorGetTrack',
        summary: 'Get a track',
        description: 'Returns the track as the app gets it, with its pauses and the provenance of its statistics.',
        tags: ['Operator'],
        params: TrackParams,
        problems: [trackNotFound],
        response: { 200: OperatorTrack },
      },
    },
    async ({ params }, reply) => {
      const found = await operatorTracks.find(params.id)
      if (found === undefined) throw trackNotFound()
      const { event_name, ...row } = found
      const track = await trackJson(row, (current) => currentStatistics(current, 'operator', clientLeft(reply)))
      const computed = track.computed_stats ?? track.stats
      const { left_out } = computed
      const reasons = [
        { reason: 'same_time' as const, count: left_out.same_time_points },
        { reason: 'inaccurate' as const, count: left_out.inaccurate_points },
        { reason: 'spike' as const, count: left_out.spike_points },
      ]
      return {
        ...track,
        event: { id: row.event_id, name: event_name },
        last_point_at: momentOrNull(row.last_point_ms),
        pauses: decodePauses(row.pauses).map(({ fromMs, toMs }) => ({
          from: momentOrNull(fromMs)!,
          to: momentOrNull(Number.isFinite(toMs) ? toMs : null),
        })),
        points_used: reasons.reduce((used, { count }) => used - count, computed.points_count),
        points_left_out: reasons,
        provenance: provenanceOf(computed, row.given_stats),
      }
    },
  )
}
