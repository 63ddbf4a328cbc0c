import { invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { compileSchema } from '#platform/http/problems/schema-validation.ts'
import { eventNotFound, runnerNotFound } from '../../errors.ts'
import { readStartListCsv, readStartListJson, type StartList } from '../../race/start-list.ts'
import { runnerJson } from '../../representations/race-json.ts'
import { EventParams, RunnerParams } from '../../schemas/addresses.ts'
import { Runner, RunnerList, RunnerStatusUpdate, RunnersQuery, RunnersUpdate } from '../../schemas/race.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { RaceStore } from '../../storage/race/race-store.ts'

type Deps = {
  events: Pick<EventsStore, 'find'>
  races: Pick<RaceStore, 'listRunners' | 'replaceRunners' | 'setStatus'>
}

/** GET /operator/events/:id/runners */
export function listRunners(app: HttpServer, { events, races }: Deps) {
  app.get(
    '/operator/events/:id/runners',
    {
      config: { operator: { role: 'viewer' } },
      schema: {
        operationId: 'operatorListRunners',
        summary: 'Get the start list',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: RunnerList },
      },
    },
    async ({ params }) => {
      if ((await events.find(params.id)) === undefined) throw eventNotFound()
      return { runners: (await races.listRunners(params.id)).map(runnerJson) }
    },
  )
}

/** PUT /operator/events/:id/runners */
export function putRunners(app: HttpServer, { races }: Deps) {
  const problemsOf = compileSchema(app, RunnersUpdate)
  app.put(
    '/operator/events/:id/runners',
    {
      config: { operator: { role: 'editor' } },
      schema: {
        operationId: 'operatorReplaceRunners',
        summary: 'Set the start list',
        description: `Replaces the start list, from JSON or from CSV (\`text/csv\`, UTF-8). The header of a CSV file names its columns:
\`user_id\`, \`bib\`, \`name\`, \`category\`, \`status\`, in any order, separated by commas, semicolons or tabs. If a line is
wrong, nothing is stored, and \`errors\` names each wrong line. With \`check=true\`, the list is only checked.`,
        tags: ['Operator'],
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
    async ({ params, query, body }) => {
      const { runners, errors } = readList(body)
      if (errors.length > 0) throw invalidFields(errors)
      if (query.check === 'true') return { runners }
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

/** PATCH /operator/events/:id/runners/:userId */
export function updateRunner(app: HttpServer, { races }: Deps) {
  app.patch(
    '/operator/events/:id/runners/:userId',
    {
      config: { operator: { role: 'editor' } },
      schema: {
        operationId: 'operatorUpdateRunner',
        summary: 'Set the status of a runner',
        description:
          'Takes a runner out of the ranking as did not finish, did not start or disqualified; null undoes it.',
        tags: ['Operator'],
        params: RunnerParams,
        body: RunnerStatusUpdate,
        problems: [eventNotFound, runnerNotFound],
        response: { 200: Runner },
      },
    },
    async ({ params, body }) => {
      const runner = await races.setStatus(params.id, params.userId, body.status)
      if (runner === undefined) throw runnerNotFound()
      return runnerJson(runner)
    },
  )
}
