import type { FastifyRequest } from 'fastify'
import { invalidFields } from '#platform/basics/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies, readRequestBody } from '#platform/http/request-body.ts'
import { compileSchema } from '#platform/http/schema-validation.ts'
import { eventNotFound } from '../model/errors.ts'
import { chosenTokenEndMs, tokenLifetimeProblems } from '../model/event-rules.ts'
import { EventParams } from '../model/schema-fields.ts'
import type { ApiDeps } from './deps.ts'
import { shownTokenJson } from './event-json.ts'
import type { EventTokens } from './event-tokens.ts'
import { type ParticipantList, readParticipantsCsv, readParticipantsJson } from './participant-list.ts'
import {
  CheckedParticipants,
  ParticipantTokens,
  ParticipantTokensCreate,
  ParticipantTokensCreated,
  ParticipantTokensQuery,
  type ShownAppToken,
} from './token-schemas.ts'

/** Largest list, decoded: 5,000 people with long names. */
const MAX_LIST_BYTES = 4 * 1_048_576

/** POST /operator/events/:id/participant-tokens. In a scope of its own, because it takes files. */
export function createParticipantTokens(app: HttpServer, { eventTokens, bodyBudget, now }: ApiDeps) {
  acceptJsonBodies(app, { limitBytes: MAX_LIST_BYTES, budget: bodyBudget })
  app.addContentTypeParser('text/csv', (request: FastifyRequest) =>
    readRequestBody(request, MAX_LIST_BYTES, bodyBudget),
  )
  const problemsOf = compileSchema(app, ParticipantTokensCreate)
  app.post(
    '/operator/events/:id/participant-tokens',
    {
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
        const known = new Set((await eventTokens.list(params.id)).map(({ user_id }) => user_id))
        return { participants: participants.map((one) => ({ ...one, has_token: known.has(one.user_id) })) }
      }
      const people = participants.map(({ user_id, name }) => ({ userId: user_id, name }))
      const end = { expiresAtMs: chosenTokenEndMs(lifetime, now()) }
      const created = await eventTokens.addParticipants(params.id, people, end)
      return reply.code(201).send({
        tokens: created.map(({ row, text }) => shownTokenJson(row, text)),
        known_count: people.length - created.length,
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

/** GET /operator/events/:id/participant-tokens */
export function listParticipantTokens(app: HttpServer, { eventTokens }: { eventTokens: EventTokens }) {
  app.get(
    '/operator/events/:id/participant-tokens',
    {
      schema: {
        operationId: 'operatorListParticipantTokens',
        summary: "Show the participants' tokens",
        description: 'Returns the valid tokens of participants in plain text, for a sheet of QR codes.',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: ParticipantTokens },
      },
    },
    async ({ params }) => {
      const rows = (await eventTokens.list(params.id)).filter(({ user_id }) => user_id !== null)
      return { tokens: rows.map((row) => shownTokenJson(row, eventTokens.textOf(row))).sort(byName) }
    },
  )
}

/** Compares as people sort names: without regard to case and accents, and numbers by their value. */
const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function byName(a: ShownAppToken, b: ShownAppToken): number {
  return compare(nameOf(a), nameOf(b))
}

function nameOf({ label, user_id }: ShownAppToken): string {
  return label ?? user_id ?? ''
}
