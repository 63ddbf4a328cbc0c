import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { invalidFields } from '#platform/basics/errors.ts'
import { formatDateTime, momentOrNull, parseDateTime } from '#platform/basics/time.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { EventDoor } from '../api/doors.ts'
import { courseMissing, eventNotFound } from '../model/errors.ts'
import { EventParams } from '../model/schema-fields.ts'
import { readCharges } from '../points/storage/track-changes.ts'
import { decodeCourseLine } from '../statistics/course-line.ts'
import { placeCheckpoints } from './checkpoints.ts'
import { courseShape } from './course.ts'
import { acceptRaceBodies, deleteCourse, getCourse, putCourse } from './course-routes.ts'
import type { RaceDeps } from './race-boards.ts'
import { checkpointsOf, raceJson, runnerJson } from './race-json.ts'
import { getEventResults, getRanking } from './ranking-routes.ts'
import { createRunner, deleteRunner, listRunners, putRunners, updateRunner } from './runner-routes.ts'
import { ParticipantList } from './runner-schemas.ts'
import { CheckpointList, CheckpointsUpdate, Race, RaceUpdate } from './schemas.ts'
import type { TrackOfPerson } from './start-list-store.ts'
import { decideTime, importTimes, listDecisions, listTimes, updateTime } from './time-routes.ts'

/** GET /operator/events/:id/race */
function getRace(app: HttpServer, { events, races }: RaceDeps) {
  app.get(
    '/operator/events/:id/race',
    {
      schema: {
        operationId: 'operatorGetRace',
        summary: 'Get the race',
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: Race },
      },
    },
    async ({ params }) => {
      await events.get(params.id)
      return raceJson(await races.findSummary(params.id), await races.countRunners(params.id))
    },
  )
}

/** PATCH /operator/events/:id/race */
function updateRace(app: HttpServer, { races }: RaceDeps) {
  app.patch(
    '/operator/events/:id/race',
    {
      schema: {
        operationId: 'operatorUpdateRace',
        summary: 'Set start and timing, and name and climb of the course',
        description:
          'Sets the time from which all runners are timed, where null times each from crossing the start line; whether times count from it (`gun`) or from that crossing (`net`) nonetheless; and the name and the climb of the course. What the body does not have stays.',
        params: EventParams,
        body: RaceUpdate,
        problems: [eventNotFound, courseMissing],
        response: { 200: Race },
      },
    },
    async ({ params, body }) => {
      const { race_starts_at, ...rest } = body
      const start = race_starts_at === undefined ? {} : { starts_at_ms: startOf(race_starts_at) }
      const race = await races.change(params.id, ({ course_line }) => {
        if (rest.course_name !== undefined && course_line === null) throw courseMissing()
        return { ...rest, ...start }
      })
      return raceJson(race, await races.countRunners(params.id))
    },
  )
}

function startOf(raceStartsAt: string | null): number | null {
  return raceStartsAt === null ? null : parseDateTime(raceStartsAt)!.timeMs
}

/** GET /operator/events/:id/checkpoints */
function listCheckpoints(app: HttpServer, { events, races }: RaceDeps) {
  app.get(
    '/operator/events/:id/checkpoints',
    {
      schema: {
        operationId: 'operatorListCheckpoints',
        summary: 'List the checkpoints',
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: CheckpointList },
      },
    },
    async ({ params }) => {
      await events.get(params.id)
      return { checkpoints: checkpointsOf(await races.findSummary(params.id)) }
    },
  )
}

/** PUT /operator/events/:id/checkpoints */
function putCheckpoints(app: HttpServer, { races }: RaceDeps) {
  app.put(
    '/operator/events/:id/checkpoints',
    {
      schema: {
        operationId: 'operatorReplaceCheckpoints',
        summary: 'Set the checkpoints',
        description:
          'Replaces all checkpoints of the course. All passings are computed again from the recorded points.',
        params: EventParams,
        body: CheckpointsUpdate,
        problems: [eventNotFound, courseMissing],
        response: { 200: CheckpointList },
      },
    },
    async (request) => {
      const { params, body } = request
      const kept = new Set(body.checkpoints.map(({ id }) => id))
      const stored = checkpointsOf(await races.findSummary(params.id))
      if (stored.some(({ id }) => !kept.has(id))) await request.demandEffect('erases')
      const race = await races.change(params.id, ({ course_line }) => {
        if (course_line === null) throw courseMissing()
        const shape = courseShape(decodeCourseLine(course_line))
        const { checkpoints, errors } = placeCheckpoints(shape, body.checkpoints, randomUUID)
        if (errors.length > 0) throw invalidFields(errors)
        return { checkpoints: JSON.stringify(checkpoints) }
      })
      return { checkpoints: checkpointsOf(race) }
    },
  )
}

/** Registers the race of an event for operators. In a scope of its own, because it takes files. */
export function raceApi(app: HttpServer, event: EventDoor, deps: RaceDeps): void {
  acceptRaceBodies(app, deps.bodyBudget)
  for (const route of [getRace, updateRace]) route(app, deps)
  getCourse(app, event, deps)
  for (const route of [putCourse, deleteCourse, listCheckpoints, putCheckpoints]) route(app, deps)
  for (const route of [listRunners, putRunners, createRunner, updateRunner, deleteRunner, listParticipants]) {
    route(app, deps)
  }
  for (const route of [listTimes, updateTime, importTimes, listDecisions, decideTime]) route(app, deps)
  for (const route of [getRanking, getEventResults]) route(app, event, deps)
}

/** Charges that are remembered, each with the time of the point up to which it was read. */
const MAX_CHARGES = 20_000
/** Ends of tracks that one request reads, the latest heard: some milliseconds each. The next request reads others. */
const CHARGES_PER_REQUEST = 500
const TAILS_PER_READ = 20

/** GET /operator/events/:id/participants */
function listParticipants(app: HttpServer, { db, events, eventTokens, races }: RaceDeps) {
  const charges = new LRUCache<string, { lastMs: number; percent: number | null }>({ max: MAX_CHARGES })
  app.get(
    '/operator/events/:id/participants',
    {
      schema: {
        operationId: 'operatorListParticipants',
        summary: 'List the participants',
        description:
          "Returns the start list with each runner's phone number, and how far the phone is: whether there is a valid token and when it was used last, the latest track, its last point and its charge.",
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: ParticipantList },
      },
    },
    async ({ params }) => {
      await events.get(params.id)
      const runners = await races.listRunners(params.id)
      const tracks = latestByPerson(await races.tracksOfPeople(params.id))
      const tokens = new Map<string, string | null>()
      for (const { user_id, last_used_at } of await eventTokens.list(params.id)) {
        const usedAt = momentOrNull(last_used_at)
        if (user_id !== null && (usedAt ?? '') >= (tokens.get(user_id) ?? '')) tokens.set(user_id, usedAt)
      }
      await updateCharges(runners.flatMap(({ user_id }) => tracks.get(user_id) ?? []))
      return {
        participants: runners.map((runner) => {
          const track = tracks.get(runner.user_id)
          return {
            ...runnerJson(runner),
            phone: runner.phone,
            has_token: tokens.has(runner.user_id),
            token_used_at: tokens.get(runner.user_id) ?? null,
            track_id: track?.id ?? null,
            last_point_at: track?.last_point_ms == null ? null : formatDateTime(track.last_point_ms),
            battery_percent: (track && charges.get(track.id)?.percent) ?? null,
          }
        }),
      }
    },
  )

  /** Reads the charges of tracks that were heard since the last time. Between some of them, requests are answered. */
  async function updateCharges(tracks: readonly TrackOfPerson[]): Promise<void> {
    const due = tracks
      .filter(({ id, last_point_ms }) => last_point_ms !== null && charges.get(id)?.lastMs !== last_point_ms)
      .sort((a, b) => b.last_point_ms! - a.last_point_ms!)
      .slice(0, CHARGES_PER_REQUEST)
    for (let i = 0; i < due.length; i += TAILS_PER_READ) {
      const some = due.slice(i, i + TAILS_PER_READ)
      const ends = some.map(({ id, last_point_ms }) => ({ trackId: id, lastMs: last_point_ms! }))
      const percents = await readCharges(db, ends)
      for (const { trackId, lastMs } of ends) charges.set(trackId, { lastMs, percent: percents.get(trackId) ?? null })
      await turn()
    }
  }
}

/** Returns the track of each person that was heard last. */
function latestByPerson(tracks: readonly TrackOfPerson[]): Map<string, TrackOfPerson> {
  const latest = new Map<string, TrackOfPerson>()
  for (const track of tracks) {
    const known = latest.get(track.user_id)
    if (known === undefined || heardMs(track) > heardMs(known)) latest.set(track.user_id, track)
  }
  return latest
}

const heardMs = ({ last_point_ms, start_ms }: TrackOfPerson) => last_point_ms ?? start_ms
