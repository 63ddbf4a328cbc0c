import { invalidFields } from '#platform/errors.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import type { CurrentStatistics } from '../computing/current-statistics.ts'
import { changeState, decodePauses, encodePauses } from '../domain/pauses.ts'
import { searchText } from '../domain/search-text.ts'
import { isBlank } from '../domain/title.ts'
import type { TrackState } from '../domain/track-state.ts'
import { pausesQuotaReached, trackNotFound } from '../errors.ts'
import { trackJson } from '../representations/track-json.ts'
import { Track, TrackParams, TrackUpdate } from '../schemas/track.ts'
import type { TrackRow } from '../storage/tables.ts'
import type { TrackChanges, TracksStore } from '../storage/tracks-store.ts'

/** Every request for a track reads its pauses: this many take some 60 kB. A phone that pauses by itself makes hundreds. */
const MAX_PAUSES = 2000

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
      const { eventId, params, body } = request
      const row = await tracks.change(eventId, params.id, (current) => changesOf(current, body, now()))
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

/**
 * Returns the new state with the resulting pauses. Statistics depend on pauses and on no other field that a request
 * changes, so only new pauses make a new revision, for which they are computed again.
 * @throws pausesQuotaReached
 */
export function stateChange(current: TrackRow, next: TrackState, nowMs: number): TrackChanges {
  const before = { state: current.state, pauses: decodePauses(current.pauses) }
  const { state, pauses } = changeState(before, next, nowMs)
  if (pauses === before.pauses) return { state }
  if (pauses.length > MAX_PAUSES) throw pausesQuotaReached()
  return { state, pauses: encodePauses(pauses), revision: current.revision + 1 }
}

function endMs(current: TrackRow, endTs: string): number {
  const { timeMs } = parseDateTime(endTs)!
  if (timeMs < current.start_ms) throw invalidFields([{ path: 'end_ts', message: 'must not be before start_ts' }])
  return timeMs
}
