import { invalidFields } from '#platform/errors.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import { searchText } from '../../domain/search-text.ts'
import { shownPartOf, shownPartProblems } from '../../domain/shown-part.ts'
import { trackNotFound } from '../../errors.ts'
import { OperatorTrack, OperatorTrackUpdate } from '../../schemas/operator-track.ts'
import { TrackParams } from '../../schemas/track.ts'
import type { TrackRow } from '../../storage/tables.ts'
import { wholeEvent } from '../../storage/track-scope.ts'
import type { TrackChanges, TracksStore } from '../../storage/tracks-store.ts'
import { type OperatorTrackDeps, operatorTrackJson } from './operator-track-json.ts'

type Deps = OperatorTrackDeps & { tracks: Pick<TracksStore, 'change'> }

/** PATCH /operator/tracks/:id */
export function updateTrack(app: HttpServer, deps: Deps) {
  const { operatorTracks, tracks } = deps
  app.patch(
    '/operator/tracks/:id',
    {
      config: { operator: { role: 'editor', effect: 'changes', also: ['publishes'] } },
      schema: {
        operationId: 'operatorUpdateTrack',
        summary: 'Update a track',
        description:
          'Corrects a track, and trims the part of it that is shown and counted. Its points stay, also in exports. Absent fields stay unchanged; `null` removes a value.',
        tags: ['Operator'],
        params: TrackParams,
        body: OperatorTrackUpdate,
        problems: [trackNotFound],
        response: { 200: OperatorTrack },
      },
    },
    async (request, reply) => {
      const { params, body } = request
      const found = await operatorTracks.find(params.id)
      if (found === undefined) throw trackNotFound()
      if (showsMore(found, body)) await request.demandEffect('publishes')
      await tracks.change(wholeEvent(found.event_id), found.id, (current) => changesOf(current, body))
      return await operatorTrackJson(deps, params.id, clientLeft(reply))
    },
  )
}

/** Tells whether a request shows what was trimmed so far. */
function showsMore(current: TrackRow, { shown_from, shown_until }: OperatorTrackUpdate): boolean {
  const [before, after] = [
    shownPartOf(current),
    shownPartOf({
      shown_from_ms: timeOf(shown_from, current.shown_from_ms),
      shown_until_ms: timeOf(shown_until, current.shown_until_ms),
    }),
  ]
  return after.fromMs < before.fromMs || after.untilMs > before.untilMs
}

/** Returns the changes that a request makes to a track; undefined if everything is as before. */
function changesOf(current: TrackRow, body: OperatorTrackUpdate): TrackChanges | undefined {
  const wanted: TrackChanges = {
    title: body.title ?? current.title,
    activity_type: body.activity_type ?? current.activity_type,
    user_id: body.user_id === undefined ? current.user_id : body.user_id,
    shown_from_ms: timeOf(body.shown_from, current.shown_from_ms),
    shown_until_ms: timeOf(body.shown_until, current.shown_until_ms),
  }
  const changed = Object.entries(wanted).filter(([name, value]) => value !== current[name as keyof TrackRow])
  if (changed.length === 0) return undefined
  const row = { ...current, ...wanted }
  // The schema has compared the times of the body; one of them may be stored.
  const wrongTimes = shownPartProblems(row.shown_from_ms, row.shown_until_ms)
  if (wrongTimes.length > 0) throw invalidFields(wrongTimes)
  return {
    ...Object.fromEntries(changed),
    search_text: searchText(row.title, row.device_track_id, row.user_id),
    ...(changed.some(([name]) => COUNTED.has(name)) ? { revision: current.revision + 1 } : {}),
  }
}

/** Columns that statistics and splits depend on. */
const COUNTED = new Set(['activity_type', 'shown_from_ms', 'shown_until_ms'])

function timeOf(given: string | null | undefined, currentMs: number | null): number | null {
  if (given === undefined) return currentMs
  return given === null ? null : parseDateTime(given)!.timeMs
}
