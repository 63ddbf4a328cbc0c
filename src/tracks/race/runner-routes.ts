import { invalidFields } from '#platform/basics/errors.ts'
import { parseDateTime } from '#platform/basics/time.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { compileSchema } from '#platform/http/schema-validation.ts'
import { eventNotFound, runnerNotFound } from '../model/errors.ts'
import { EventParams, RunnerParams } from '../model/schema-fields.ts'
import type { RunnerRow } from '../model/tables.ts'
import type { RaceDeps } from './race-boards.ts'
import { runnerJson } from './race-json.ts'
import {
  Runner,
  RunnerCreate,
  RunnerList,
  RunnerRemoval,
  RunnerStatusUpdate,
  RunnersQuery,
  RunnersUpdate,
  RunnerUpdate,
} from './runner-schemas.ts'
import { checkRunner, type ListedRunner, readStartListCsv, readStartListJson, type StartList } from './start-list.ts'

/** Represents a runner of a list that is not stored. */
const asListed = (runner: ListedRunner) => ({ status: null, ...runner, status_at: null, status_place: null })

/** GET /operator/events/:id/runners */
export function listRunners(app: HttpServer, { events, races }: RaceDeps) {
  app.get(
    '/operator/events/:id/runners',
    {
      schema: {
        operationId: 'operatorListRunners',
        summary: 'Get the start list',
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: RunnerList },
      },
    },
    async ({ params }) => {
      await events.get(params.id)
      return { runners: (await races.listRunners(params.id)).map(runnerJson) }
    },
  )
}

/** PUT /operator/events/:id/runners */
export function putRunners(app: HttpServer, { races }: RaceDeps) {
  const problemsOf = compileSchema(app, RunnersUpdate)
  app.put(
    '/operator/events/:id/runners',
    {
      schema: {
        operationId: 'operatorReplaceRunners',
        summary: 'Set the start list',
        description: `Replaces the start list, from JSON or from CSV (\`text/csv\`; UTF-8, UTF-16 or Windows-1252). The header of a CSV file
names its columns: \`user_id\`, \`bib\`, \`name\`, \`first_name\`, \`category\`, \`phone\`, \`status\`, or the same in French, in any order,
separated by commas, semicolons or tabs. Runners are recognised by their bib and keep a status and a phone number about
which the list says nothing: the field is absent, or empty in CSV. If a line is wrong, nothing is stored, and \`errors\` names each wrong line. With \`check=true\`, the list is only
checked, and \`ignored_columns\` names the columns of a CSV file that are not among these.`,
        params: EventParams,
        consumes: ['application/json', 'text/csv'],
        querystring: RunnersQuery,
        body: RunnersUpdate,
        problems: [eventNotFound],
        response: { 200: RunnerList },
      },
      // A body may be CSV. One of JSON is checked below.
      validatorCompiler: ({ schema, httpPart, ...rest }) =>
        httpPart === 'body' ? () => true : app.validatorCompiler!({ schema, httpPart, ...rest }),
    },
    async (request) => {
      const { params, query, body } = request
      const { runners, errors, ignoredColumns } = readList(body)
      if (errors.length > 0) throw invalidFields(errors)
      if (query.check === 'true') return { runners: runners.map(asListed), ignored_columns: ignoredColumns }
      const kept = new Set(runners.map(({ user_id }) => user_id))
      const listed = await races.listRunners(params.id)
      if (listed.some(({ user_id }) => !kept.has(user_id))) await request.demandEffect('erases')
      await races.replaceRunners(params.id, runners)
      return { runners: (await races.listRunners(params.id)).map(runnerJson) }
    },
  )

  function readList(body: unknown): StartList {
    if (Buffer.isBuffer(body)) return readStartListCsv(body)
    const errors = problemsOf(body)
    return errors.length > 0 ? { runners: [], errors } : readStartListJson((body as RunnersUpdate).runners)
  }
}

/**
 * PATCH /operator/events/:id/runners and, from before, PATCH /operator/events/:id/runners/:userId, which has a person's
 * id in the address, where proxies log it.
 */
export function updateRunner(app: HttpServer, { races }: RaceDeps) {
  async function change(eventId: string, body: RunnerUpdate) {
    const runner = await races.changeRunner(eventId, body.user_id, (current) => {
      return { ...changedFields(current, body), ...changedStatus(body) }
    })
    if (runner === undefined) throw runnerNotFound()
    return runnerJson(runner)
  }

  app.patch(
    '/operator/events/:id/runners',
    {
      schema: {
        operationId: 'operatorUpdateRunnerStatus',
        summary: 'Change a runner',
        description:
          'Changes the bib, name, category or phone number, or the status: it takes a runner out of the ranking as did not finish, did not start, disqualified or over the limit, with time and place if they are known; null undoes it. Absent fields stay unchanged, and so does the `user_id`.',
        params: EventParams,
        body: RunnerUpdate,
        problems: [eventNotFound, runnerNotFound],
        response: { 200: Runner },
      },
    },
    ({ params, body }) => change(params.id, body),
  )
  app.patch(
    '/operator/events/:id/runners/:userId',
    {
      schema: {
        operationId: 'operatorUpdateRunner',
        deprecated: true,
        summary: 'Set the status of the runner in the address',
        description: 'Use `PATCH /operator/events/:id/runners`: addresses are logged by proxies.',
        params: RunnerParams,
        body: RunnerStatusUpdate,
        problems: [eventNotFound, runnerNotFound],
        response: { 200: Runner },
      },
    },
    ({ params, body }) => change(params.id, { user_id: params.userId, status: body.status }),
  )
}

/** Returns the changes of a runner's own fields; nothing for absent ones. */
function changedFields(current: RunnerRow, { bib, name, category, phone }: RunnerUpdate): Partial<RunnerRow> {
  const given = { bib, name, category, phone }
  const names = (Object.keys(given) as (keyof typeof given)[]).filter((field) => given[field] !== undefined)
  if (names.length === 0) return {}
  const { user_id } = current
  const own = { bib: current.bib, name: current.name, category: current.category, phone: current.phone }
  const wanted = Object.fromEntries(names.map((field) => [field, given[field] ?? '']))
  const { runner, errors } = checkRunner({ user_id, ...own, ...wanted })
  const wrong = errors.filter(({ path }) => names.includes(path as (typeof names)[number]))
  if (wrong.length > 0) throw invalidFields(wrong)
  const changed = { ...own, ...runner, ...(phone !== undefined && { phone: runner.phone ?? null }) }
  return Object.fromEntries(names.map((field) => [field, changed[field]]))
}

/** Returns the change of a status, which has a time and place of its own. */
function changedStatus({ status, status_at, status_place }: RunnerUpdate): Partial<RunnerRow> {
  if (status === undefined) return {}
  const isGiven = status !== null
  return {
    status,
    status_at_ms: isGiven && status_at != null ? parseDateTime(status_at)!.timeMs : null,
    status_place: isGiven ? status_place?.trim() || null : null,
  }
}

/** POST /operator/events/:id/runners */
export function createRunner(app: HttpServer, { races }: RaceDeps) {
  app.post(
    '/operator/events/:id/runners',
    {
      schema: {
        operationId: 'operatorCreateRunner',
        summary: 'Add a runner',
        description: 'Adds a runner at the end of the start list. The others stay as they are.',
        params: EventParams,
        body: RunnerCreate,
        problems: [eventNotFound],
        response: { 201: Runner },
      },
    },
    async ({ params, body }, reply) => {
      const { runner, errors } = checkRunner(body)
      if (errors.length > 0) throw invalidFields(errors)
      return reply.code(201).send(runnerJson(await races.addRunner(params.id, runner)))
    },
  )
}

/** POST /operator/events/:id/runners/remove: in the body, because proxies log addresses. */
export function deleteRunner(app: HttpServer, { races }: RaceDeps) {
  app.post(
    '/operator/events/:id/runners/remove',
    {
      schema: {
        operationId: 'operatorDeleteRunner',
        summary: 'Remove a runner',
        description:
          'Takes a runner from the start list. Tracks, app tokens and noted times stay: who is added again with the same `user_id` has them back.',
        params: EventParams,
        body: RunnerRemoval,
        problems: [eventNotFound, runnerNotFound],
        response: { 204: noContent('The runner was removed.') },
      },
    },
    async ({ params, body }, reply) => {
      if (!(await races.removeRunner(params.id, body.user_id))) throw runnerNotFound()
      return reply.code(204).send()
    },
  )
}
