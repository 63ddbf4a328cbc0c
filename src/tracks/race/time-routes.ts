import { randomUUID } from 'node:crypto'
import { invalidFields, unavailable, unsupportedMediaType } from '#platform/basics/errors.ts'
import { formatDateTime, momentOrNull, parseDateTime } from '#platform/basics/time.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
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
import { readTimesCsv } from './times-list.ts'

/** GET /operator/events/:id/times */
export function listTimes(app: HttpServer, { events, races }: RaceDeps) {
  app.get(
    '/operator/events/:id/times',
    {
      schema: {
        operationId: 'operatorListTimes',
        summary: 'List the times of a runner that were entered or imported',
        description: 'Returns all that was ever noted for a bib, removals included, the latest first.',
        tags: ['Operator'],
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
        tags: ['Operator'],
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
        tags: ['Operator'],
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
        tags: ['Operator'],
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
        tags: ['Operator'],
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
