import { randomUUID } from 'node:crypto'
import { type FieldError, invalidFields, unavailable, unsupportedMediaType } from '#platform/basics/errors.ts'
import { formatDateTime, momentOrNull, parseDateTime } from '#platform/basics/time.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { type ListRow, readCsvRows } from '../api/csv-rows.ts'
import { eventNotFound, runnerNotFound } from '../model/errors.ts'
import { EventParams } from '../model/schema-fields.ts'
import type { RunnerTimeRow } from '../model/tables.ts'
import type { RaceDeps } from './race-boards.ts'
import { checkpointsOf } from './race-json.ts'
import {
  DecisionList,
  DecisionMade,
  TimesCsv,
  TimesImported,
  TimesNoted,
  TimesQuery,
  TimeUpdate,
} from './result-schemas.ts'
import { RunnersQuery } from './runner-schemas.ts'

/** GET /operator/events/:id/times */
export function listTimes(app: HttpServer, { events, races }: RaceDeps) {
  app.get(
    '/operator/events/:id/times',
    {
      schema: {
        operationId: 'operatorListTimes',
        summary: 'List the times of a runner that were entered or imported',
        description: 'Returns all that was ever noted for a bib, removals included, the latest first.',
        params: EventParams,
        querystring: TimesQuery,
        problems: [eventNotFound, runnerNotFound],
        response: { 200: TimesNoted },
      },
    },
    async ({ params, query }) => {
      await events.get(params.id)
      const runner = await races.findRunnerByBib(params.id, query.bib)
      if (runner === undefined) throw runnerNotFound()
      return { times: (await races.listTimesOf(params.id, runner.user_id)).map(timeJson) }
    },
  )
}

/** PATCH /operator/events/:id/times */
export function updateTime(app: HttpServer, deps: RaceDeps) {
  app.patch(
    '/operator/events/:id/times',
    {
      schema: {
        operationId: 'operatorUpdateTime',
        summary: 'Enter, correct or remove a time by hand',
        description:
          'Sets the time at which a runner passed a checkpoint. It counts before an imported one, and that before the one of the recording. With null, the time by hand is removed, and the next one counts. All are kept.',
        params: EventParams,
        body: TimeUpdate,
        problems: [eventNotFound, runnerNotFound],
        response: { 200: TimesNoted },
      },
    },
    async ({ params, body, operatorName }) => await noteTime(deps, params.id, body, { operatorName, source: 'manual' }),
  )
}

/**
 * Adds a time, or the decision that there is none, and returns all that was noted for the runner.
 * @throws eventNotFound, runnerNotFound, and a problem with the field for an unknown checkpoint
 */
async function noteTime(
  { races, now }: RaceDeps,
  eventId: string,
  { bib, checkpoint_id, time }: TimeUpdate,
  { operatorName, source }: { operatorName: string; source: RunnerTimeRow['source'] },
) {
  const runner = await races.findRunnerByBib(eventId, bib)
  if (runner === undefined) throw runnerNotFound()
  const isKnown = checkpointsOf(await races.findSummary(eventId)).some(({ id }) => id === checkpoint_id)
  if (!isKnown) throw invalidFields([{ path: 'checkpoint_id', message: 'must be a checkpoint of the course' }])
  const time_ms = time === null ? null : parseDateTime(time)!.timeMs
  const { user_id } = runner
  const noted = { id: randomUUID(), noted_by: operatorName, noted_at: now() }
  await races.noteTimes(eventId, [{ ...noted, user_id, checkpoint_id, source, time_ms }])
  return { times: (await races.listTimesOf(eventId, user_id)).map(timeJson) }
}

/** GET /operator/events/:id/decisions */
export function listDecisions(app: HttpServer, { events, raceBoards }: RaceDeps) {
  app.get(
    '/operator/events/:id/decisions',
    {
      schema: {
        operationId: 'operatorListDecisions',
        summary: 'List what is to be decided',
        description:
          'Returns the doubtful times of the runners of the start list, computed from the same data as the ranking: stops just before the finish, missed checkpoints, second passings that fit better, and recordings that end on the last kilometre. A time by hand, an imported time or a decision settles one. Runners with a status have none.',
        params: EventParams,
        problems: [eventNotFound, unavailable],
        response: { 200: DecisionList },
      },
    },
    async ({ params }) => {
      await events.get(params.id)
      return await raceBoards.decisions(params.id)
    },
  )
}

/** POST /operator/events/:id/decisions */
export function decideTime(app: HttpServer, deps: RaceDeps) {
  app.post(
    '/operator/events/:id/decisions',
    {
      schema: {
        operationId: 'operatorCreateDecision',
        summary: 'Decide about a doubtful time',
        description:
          'With a time, it counts as one that was entered by hand. With null, the proposed time is rejected, and the recording counts as it did. Both are kept with name and time, and the doubt does not come back until another time by hand, or its removal, is noted for this checkpoint.',
        params: EventParams,
        body: DecisionMade,
        problems: [eventNotFound, runnerNotFound],
        response: { 200: TimesNoted },
      },
    },
    async ({ params, body, operatorName }) =>
      await noteTime(deps, params.id, body, { operatorName, source: body.time === null ? 'rejected' : 'manual' }),
  )
}

/** POST /operator/events/:id/times/import */
export function importTimes(app: HttpServer, { events, races, now }: RaceDeps) {
  app.post(
    '/operator/events/:id/times/import',
    {
      schema: {
        operationId: 'operatorImportTimes',
        summary: 'Import times from a timing system',
        description:
          'Takes a CSV file in UTF-8 with the columns `bib`, `checkpoint` (name or id) and `time`: a moment with its zone, or the time since the common start as `1:23:45.6`. If a line is wrong, nothing is stored. Imported times count before those of recordings. A new import replaces the times that it has.',
        params: EventParams,
        querystring: RunnersQuery,
        consumes: ['text/csv'],
        body: TimesCsv,
        problems: [eventNotFound],
        response: { 200: TimesImported },
      },
      // The body is a file, which is checked below.
      validatorCompiler: ({ schema, httpPart, ...rest }) =>
        httpPart === 'body' ? () => true : app.validatorCompiler!({ schema, httpPart, ...rest }),
    },
    async ({ params, query, body, operatorName }) => {
      await events.get(params.id)
      if (!Buffer.isBuffer(body)) throw unsupportedMediaType({ detail: 'The body must be CSV, as text/csv.' })
      const race = await races.findSummary(params.id)
      const runners = await races.listRunners(params.id)
      const { times, errors } = readTimesCsv(body, {
        runners,
        checkpoints: checkpointsOf(race),
        gunMs: race.starts_at_ms,
      })
      if (errors.length > 0) throw invalidFields(errors)
      const read = times.map(({ bib, checkpoint_id, timeMs }) => ({ bib, checkpoint_id, time: formatDateTime(timeMs) }))
      if (query.check === 'true') return { times: read }
      const noted_at = now()
      const rows = times.map(({ timeMs: time_ms, bib: _, ...time }) => {
        return { ...time, id: randomUUID(), source: 'imported' as const, time_ms, noted_by: operatorName, noted_at }
      })
      await races.noteTimes(params.id, rows)
      return { times: read }
    },
  )
}

function timeJson({ id, checkpoint_id, source, time_ms, noted_by, noted_at }: RunnerTimeRow) {
  return { id, checkpoint_id, source, time: momentOrNull(time_ms), noted_by, noted_at: formatDateTime(noted_at) }
}

/** Most times of one file: every runner at every checkpoint of a large race. */
const MAX_TIMES = 50_000

type Field = 'bib' | 'checkpoint' | 'time'

/** Spellings of the columns, in lower case without spaces, dashes and underscores. */
const COLUMNS: Record<string, Field> = {
  bib: 'bib',
  bibnumber: 'bib',
  number: 'bib',
  dossard: 'bib',
  checkpoint: 'checkpoint',
  point: 'checkpoint',
  pointdecontrôle: 'checkpoint',
  pointdecontrole: 'checkpoint',
  pointdepassage: 'checkpoint',
  pointage: 'checkpoint',
  passage: 'checkpoint',
  time: 'time',
  temps: 'time',
  heure: 'time',
}
const FIELDS: readonly Field[] = ['bib', 'checkpoint', 'time']

/** The race that the times of a file are matched with. */
type TimedRace = {
  runners: readonly { user_id: string; bib: string }[]
  checkpoints: readonly { id: string; name: string }[]
  /** Common start; null without one. */
  gunMs: number | null
}

/** A time of a file. */
type ListedTime = { bib: string; user_id: string; checkpoint_id: string; timeMs: number }

/** Times, or their problems: each has the line of the file as its path. */
type TimesList = { times: ListedTime[]; errors: FieldError[] }

/**
 * Reads times as CSV (RFC 4180), whose header names the columns `bib`, `checkpoint` and `time`. A checkpoint
 * is its name or id. A time is a moment with its zone (RFC 3339), or the time since the common start as `1:23:45.6`.
 */
function readTimesCsv(bytes: Uint8Array, race: TimedRace): TimesList {
  const rows = readCsvRows(bytes, {
    names: COLUMNS,
    missing: (columns) => FIELDS.filter((field) => !columns.includes(field)),
    empty: 'must have a header line and a line for each time',
    maxRows: MAX_TIMES,
  })
  return Array.isArray(rows) ? checkTimes(rows, race) : { times: [], errors: [rows] }
}

function checkTimes(rows: readonly ListRow<Field>[], race: TimedRace): TimesList {
  if (rows.length > MAX_TIMES) return failed('', `must have at most ${MAX_TIMES} times`)
  const users = new Map(race.runners.map(({ bib, user_id }) => [bib, user_id]))
  const checkpoints = new Map(
    race.checkpoints.flatMap(({ id, name }) => [[folded(name), id] as const, [id, id] as const]),
  )
  const errors: FieldError[] = []
  const times = rows.flatMap(({ place, raw }: ListRow<Field>): ListedTime[] => {
    const user_id = users.get(raw.bib ?? '')
    const checkpoint_id = checkpoints.get(folded(raw.checkpoint ?? ''))
    const timeMs = readTime(raw.time ?? '', race.gunMs)
    if (user_id === undefined) errors.push({ path: `${place}, bib`, message: 'must be a bib of the start list' })
    if (checkpoint_id === undefined)
      errors.push({ path: `${place}, checkpoint`, message: 'must be the name of a checkpoint of the course' })
    if (typeof timeMs === 'string') errors.push({ path: `${place}, time`, message: timeMs })
    if (user_id === undefined || checkpoint_id === undefined || typeof timeMs === 'string') return []
    return [{ bib: raw.bib ?? '', user_id, checkpoint_id, timeMs }]
  })
  return { times: errors.length > 0 ? [] : times, errors }
}

const folded = (name: string) => name.trim().toLowerCase()

const RACE_TIME = /^(\d{1,3}):([0-5]\d):([0-5]\d(?:[.,]\d{1,3})?)$/

/** Returns the time in milliseconds since 1970, or what is wrong with it. */
function readTime(text: string, gunMs: number | null): number | string {
  const race = RACE_TIME.exec(text)
  if (race === null) {
    return parseDateTime(text)?.timeMs ?? 'must be a time with its zone, such as 2026-05-03T09:12:31+02:00, or 1:23:45'
  }
  if (gunMs === null) return 'must be a time with its zone: the race has no common start to count 1:23:45 from'
  const [, hours, minutes, seconds] = race
  return gunMs + Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))) * 1000)
}

function failed(path: string, message: string): TimesList {
  return { times: [], errors: [{ path, message }] }
}
