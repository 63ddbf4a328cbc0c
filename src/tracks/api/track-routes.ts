import { invalidFields } from '#platform/basics/errors.ts'
import { parseDateTime } from '#platform/basics/time.ts'
import { disconnectSignal } from '#platform/http/client.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { pausesQuotaReached, trackNotFound } from '../model/errors.ts'
import type { TrackRow } from '../model/tables.ts'
import { isBlank, searchText } from '../model/titles.ts'
import { finishChange, reopenChange, shownPartOf, shownPartProblems, stateChange } from '../model/track-state.ts'
import type { TrackChanges } from '../model/tracks-store.ts'
import type { ApiDeps } from './deps.ts'
import type { TrackDoor } from './doors.ts'
import { OperatorTrackUpdate } from './operator-track-schemas.ts'
import { TrackUpdate } from './track-schemas.ts'

const GET = {
  app: {
    operationId: 'getTrack',
    description: 'Returns the track with its statistics, computed from all points stored so far.',
    permission: 'read',
  },
  operator: {
    operationId: 'operatorGetTrack',
    description: 'Returns the track as the app gets it, with its pauses and the provenance of its statistics.',
  },
}

/** GET /tracks/:id, GET /operator/tracks/:id */
export function getTrack(app: HttpServer, door: TrackDoor) {
  app.get(
    door.path,
    {
      schema: {
        summary: 'Get a track',
        ...GET[door.audience],
        ...door.schema,
        problems: [trackNotFound],
        response: { 200: door.response },
      },
    },
    async (request, reply) => await door.json(await door.open(request), disconnectSignal(reply)),
  )
}

const FINISH = {
  app: {
    operationId: 'finishTrack',
    description:
      'Stops the track, sets its end if it has none, and returns it with its statistics. Finishing again has no effect.',
    permission: 'record',
    problems: [trackNotFound],
  },
  operator: {
    operationId: 'operatorFinishTrack',
    description:
      'Stops a track whose phone no longer does so. It ends with its last point, unless it has an end. Finishing again has no effect; points that still arrive are stored.',
    problems: [trackNotFound, pausesQuotaReached],
  },
}

/** POST /tracks/:id/finish, POST /operator/tracks/:id/finish */
export function finishTrack(app: HttpServer, door: TrackDoor, { compactor, now }: ApiDeps) {
  app.post(
    `${door.path}/finish`,
    {
      schema: {
        summary: 'Finish a track',
        ...FINISH[door.audience],
        ...door.schema,
        response: { 200: door.response },
      },
    },
    async (request, reply) => {
      const row = await door.change(request, (current) => finishChange(current, now()))
      const finished = await door.json(row, disconnectSignal(reply))
      compactor.add(row.id)
      return finished
    },
  )
}

/** POST /operator/tracks/:id/reopen */
export function reopenTrack(app: HttpServer, door: TrackDoor, { now }: ApiDeps) {
  app.post(
    `${door.path}/reopen`,
    {
      schema: {
        operationId: 'operatorReopenTrack',
        summary: 'Reopen a track',
        description:
          'Takes back that a track is finished: it goes on, without an end, as statistics, live map and race then show. Its phone may not know; points that it sends are stored. Reopening a track that is not stopped has no effect.',
        ...door.schema,
        problems: [trackNotFound],
        response: { 200: door.response },
      },
    },
    async (request, reply) => {
      const row = await door.change(request, (current) => reopenChange(current, now()))
      return await door.json(row, disconnectSignal(reply))
    },
  )
}

const DELETE = {
  app: {
    operationId: 'deleteTrack',
    description:
      'Deletes the track and all its points for good. Its `device_track_id` can be used again. The token needs the permission `manage`, which the first token of an event does not have.',
    permission: 'manage',
  },
  operator: {
    operationId: 'operatorDeleteTrack',
    description:
      'Puts the track with its points into the bin, from which it can be restored for `BIN_DAYS`; without a bin, deletes it for good. Its `device_track_id` can be used again.',
  },
}

/** DELETE /tracks/:id, DELETE /operator/tracks/:id */
export function deleteTrack(app: HttpServer, door: TrackDoor) {
  app.delete(
    door.path,
    {
      schema: {
        summary: 'Delete a track',
        ...DELETE[door.audience],
        ...door.schema,
        problems: [trackNotFound],
        response: { 204: noContent('The track was deleted.') },
      },
    },
    async (request, reply) => {
      await door.delete(request)
      return reply.code(204).send()
    },
  )
}

const UPDATE = {
  app: {
    operationId: 'updateTrack',
    description:
      'Changes title, state and end. Absent fields stay unchanged. The time from `paused` to the next other state is a pause.',
    permission: 'record',
    body: TrackUpdate,
    problems: [trackNotFound, pausesQuotaReached],
  },
  operator: {
    operationId: 'operatorUpdateTrack',
    description:
      'Corrects a track, and trims the part of it that is shown and counted. Its points stay, also in exports. Absent fields stay unchanged; `null` removes a value.',
    body: OperatorTrackUpdate,
    problems: [trackNotFound],
  },
}

/** PATCH /tracks/:id, PATCH /operator/tracks/:id */
export function updateTrack(app: HttpServer, door: TrackDoor, { now }: ApiDeps) {
  app.patch(
    door.path,
    {
      schema: {
        summary: 'Update a track',
        ...UPDATE[door.audience],
        ...door.schema,
        response: { 200: door.response },
      },
      // A request of an app without a body changes nothing, like one with an empty object.
      preValidation: async (request) => {
        if (door.audience === 'app' && request.body === undefined) (request as { body: TrackUpdate }).body = {}
      },
    },
    async (request, reply) => {
      const body = request.body as TrackUpdate & OperatorTrackUpdate
      if (door.audience === 'operator' && showsMore(await door.open(request), body))
        await request.demandEffect('publishes')
      const changesOf = door.audience === 'app' ? recordedChanges : corrections
      const row = await door.change(request, (current) => changesOf(current, body, now()))
      return await door.json(row, disconnectSignal(reply))
    },
  )
}

/** Returns the changes that an app makes to a track; undefined for a request without fields. */
function recordedChanges(current: TrackRow, body: TrackUpdate, nowMs: number): TrackChanges | undefined {
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

/** Tells whether a request shows a part that was trimmed so far. */
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

/** Returns the changes that an operator makes to a track; undefined if everything is as before. */
function corrections(current: TrackRow, body: OperatorTrackUpdate): TrackChanges | undefined {
  const wanted: TrackChanges = {
    title: body.title ?? current.title,
    activity_type: body.activity_type ?? current.activity_type,
    user_id: body.user_id === undefined ? current.user_id : body.user_id,
    altitude_reference: body.altitude_reference === undefined ? current.altitude_reference : body.altitude_reference,
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
const COUNTED = new Set(['activity_type', 'altitude_reference', 'shown_from_ms', 'shown_until_ms'])

function timeOf(given: string | null | undefined, currentMs: number | null): number | null {
  if (given === undefined) return currentMs
  return given === null ? null : parseDateTime(given)!.timeMs
}
