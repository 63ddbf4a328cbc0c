import { invalidFields } from '#platform/errors.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import type { CurrentStatistics } from '../computing/current-statistics.ts'
import { searchText } from '../domain/search-text.ts'
import { stateChange } from '../domain/state-change.ts'
import { isBlank } from '../domain/title.ts'
import { pausesQuotaReached, trackNotFound } from '../errors.ts'
import { trackJson } from '../representations/track-json.ts'
import { Track, TrackParams, TrackUpdate } from '../schemas/track.ts'
import type { TrackRow } from '../storage/tables.ts'
import type { TrackChanges, TracksStore } from '../storage/tracks-store.ts'

type Deps = {
  tracks: Pick<TracksStore, 'change'>
  currentStatistics: CurrentStatistics
  now: () => number
}

/** PATCH /tracks/:id */
export function updateTrack(app: HttpServer, { tracks, currentStatistics, now }: Deps) {
  app.patch(
    '/tracks/:id',
    {
      schema: {
        operationId: 'updateTrack',
        summary: 'Update a track',
        description:
          'Changes title, state and end. Absent fields stay unchanged. The time from `paused` to the next other state is a pause.',
        tags: ['Tracks'],
        permission: 'record',
        params: TrackParams,
        body: TrackUpdate,
        problems: [trackNotFound, pausesQuotaReached],
        response: { 200: Track },
      },
      // A request without a body changes nothing, like one with an empty object.
      preValidation: async (request) => {
        if (request.body === undefined) (request as { body: TrackUpdate }).body = {}
      },
    },
    async (request, reply) => {
      const { appToken, params, body } = request
      const row = await tracks.change(appToken, params.id, (current) => changesOf(current, body, now()))
      return await trackJson(row, (found) => currentStatistics(found, 'phone', clientLeft(reply)))
    },
  )
}

/** Returns the changes that a request makes to a track; undefined for a request without fields. */
function changesOf(current: TrackRow, body: TrackUpdate, nowMs: number): TrackChanges | undefined {
  const changes: TrackChanges = {}
  if (typeof body.title === 'string' && !isBlank(body.title)) {
    changes.title = body.title
    changes.search_text = searchText(body.title, current.device_track_id, current.user_id)
  }
  if (typeof body.state === 'string') Object.assign(changes, stateChange(current, body.state, nowMs))
  if (typeof body.end_ts === 'string') changes.end_ms = endMs(current, body.end_ts)
  return Object.keys(changes).length === 0 ? undefined : changes
}

function endMs(current: TrackRow, endTs: string): number {
  const { timeMs } = parseDateTime(endTs)!
  if (timeMs < current.start_ms) throw invalidFields([{ path: 'end_ts', message: 'must not be before start_ts' }])
  return timeMs
}
