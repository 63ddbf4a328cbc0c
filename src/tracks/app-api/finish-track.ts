import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Compactor } from '../computing/compactor.ts'
import type { CurrentStatistics } from '../computing/current-statistics.ts'
import { trackNotFound } from '../errors.ts'
import { trackJson } from '../representations/track-json.ts'
import { Track, TrackParams } from '../schemas/track.ts'
import type { TrackRow } from '../storage/tables.ts'
import type { TrackChanges, TracksStore } from '../storage/tracks-store.ts'
import { stateChange } from './update-track.ts'

type Deps = {
  tracks: Pick<TracksStore, 'change'>
  compactor: Pick<Compactor, 'add'>
  currentStatistics: CurrentStatistics
  now: () => number
}

/** POST /tracks/:id/finish */
export function finishTrack(app: HttpServer, { tracks, compactor, currentStatistics, now }: Deps) {
  app.post(
    '/tracks/:id/finish',
    {
      schema: {
        operationId: 'finishTrack',
        summary: 'Finish a track',
        description:
          'Stops the track, sets its end if it has none, and returns it with its statistics. Finishing again has no effect.',
        tags: ['Tracks'],
        params: TrackParams,
        problems: [trackNotFound],
        response: { 200: Track },
      },
    },
    async (request, reply) => {
      const { eventId, params } = request
      const row = await tracks.change(eventId, params.id, (current) => finishOf(current, now()))
      const finished = await trackJson(row, (found) => currentStatistics(found, 'phone', clientLeft(reply)))
      compactor.add(row.id)
      return finished
    },
  )
}

/** Returns undefined for a finished track, so that finishing it again neither writes nor computes. */
function finishOf(current: TrackRow, nowMs: number): TrackChanges | undefined {
  if (current.state === 'stopped' && current.end_ms !== null) return undefined
  return {
    ...stateChange(current, 'stopped', nowMs),
    end_ms: current.end_ms ?? Math.max(current.start_ms, current.last_point_ms ?? nowMs),
  }
}
