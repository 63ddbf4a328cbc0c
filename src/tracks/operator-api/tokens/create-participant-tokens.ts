import type { FastifyRequest } from 'fastify'
import { invalidFields } from '#platform/errors.ts'
import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import { readRequestBody } from '#platform/http/bodies/request-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { compileSchema } from '#platform/http/problems/schema-validation.ts'
import { chosenTokenEndMs, tokenLifetimeProblems } from '../../domain/token-rules.ts'
import { eventNotFound } from '../../errors.ts'
import type { EventTokens } from '../../events/event-tokens.ts'
import { type ParticipantList, readParticipantsCsv, readParticipantsJson } from '../../race/participant-list.ts'
import { issuedTokenJson } from '../../representations/event-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import {
  CheckedParticipants,
  ParticipantTokensCreate,
  ParticipantTokensCreated,
  ParticipantTokensQuery,
} from '../../schemas/tokens.ts'
import type { AppTokensStore } from '../../storage/app-tokens-store.ts'
import type { EventsStore } from '../../storage/events-store.ts'

/** Largest list, decoded: 5,000 people with long names. */
const MAX_LIST_BYTES = 4 * 1_048_576

type Deps = {
  events: Pick<EventsStore, 'find'>
  appTokens: Pick<AppTokensStore, 'listValid'>
  eventTokens: Pick<EventTokens, 'addParticipants'>
  bodyBudget: BodyBudget
  now: () => number
}

/** POST /operator/events/:id/participant-tokens. In a scope of its own, because it takes files. */
export function createParticipantTokens(app: HttpServer, deps: Deps) {
  const { events, appTokens, eventTokens, bodyBudget, now } = deps
  acceptJsonBodies(app, { limitBytes: MAX_LIST_BYTES, budget: bodyBudget })
  app.addContentTypeParser('text/csv', (request: FastifyRequest) =>
    readRequestBody(request, MAX_LIST_BYTES, bodyBudget),
  )
  const problemsOf = compileSchema(app, ParticipantTokensCreate)
  app.post(
    '/operator/events/:id/participant-tokens',
    {
      config: { operator: { role: 'editor', effect: 'admits' } },
      schema: {
        operationId: 'operatorCreateParticipantTokens',
        summary: 'Create tokens for participants',
        description: `Creates a token for each person of a list who has no valid one, from JSON or from CSV (\`text/csv\`, UTF-8). The header
of a CSV file names its columns \`user_id\` and \`name\`, in any order, separated by commas, semicolons or tabs; without
\`user_id\`, \`bib\` counts. Without a header, the columns are \`user_id\` and \`name\`. If a line is wrong, nothing is stored, and
\`errors\` names each wrong line. With \`check=true\`, the list is only checked.`,
        tags: ['Operator'],
        params: EventParams,
        consumes: ['application/json', 'text/csv'],
        querystring: ParticipantTokensQuery,
        body: ParticipantTokensCreate,
        problems: [eventNotFound],
        response: { 200: CheckedParticipants, 201: ParticipantTokensCreated },
      },
      // A body may be CSV. One of JSON is checked below.
      validatorCompiler: ({ schema, httpPart, ...rest }) =>
        httpPart === 'body' ? () => true : app.validatorCompiler!({ schema, httpPart, ...rest }),
    },
    async ({ params, query, body }, reply) => {
      const lifetime = { keep_sec: query.keep_sec, never_expires: query.never_expires === 'true' }
      const { participants, errors: listErrors } = readList(body)
      const errors = [...tokenLifetimeProblems(lifetime), ...listErrors]
      if (errors.length > 0) throw invalidFields(errors)
      if (query.check === 'true') {
        if ((await events.find(params.id)) === undefined) throw eventNotFound()
        const known = new Set((await appTokens.listValid(params.id, now())).map(({ user_id }) => user_id))
        return { participants: participants.map((one) => ({ ...one, has_token: known.has(one.user_id) })) }
      }
      const people = participants.map(({ user_id, name }) => ({ userId: user_id, name }))
      const end = { expiresAtMs: chosenTokenEndMs(lifetime, now()) }
      const { made } = await eventTokens.addParticipants(params.id, people, end)
      return reply.code(201).send({
        tokens: made.map(({ token, grant }) => issuedTokenJson(token, grant)),
        known_count: people.length - made.length,
      })
    },
  )

  function readList(body: unknown): ParticipantList {
    if (Buffer.isBuffer(body)) return readParticipantsCsv(body)
    const errors = problemsOf(body)
    if (errors.length > 0) return { participants: [], errors }
    return readParticipantsJson((body as ParticipantTokensCreate).participants)
  }
}
