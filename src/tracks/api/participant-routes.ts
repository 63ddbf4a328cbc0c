import type { FastifyRequest } from 'fastify'
import { type FieldError, invalidFields } from '#platform/basics/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies, readRequestBody } from '#platform/http/request-body.ts'
import { compileSchema } from '#platform/http/schema-validation.ts'
import { eventNotFound } from '../model/errors.ts'
import { chosenTokenEndMs, MAX_USER_ID_LENGTH, tokenLifetimeProblems } from '../model/event-rules.ts'
import { EventParams } from '../model/schema-fields.ts'
import { checkedText, firstUse, type ListRow, pathInRow, readCsvRows } from './csv-rows.ts'
import type { ApiDeps } from './deps.ts'
import { type EventTokens, shownTokenJson } from './event-tokens.ts'
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

/** Most participants of one request: the QR codes of more fill no printer's day. */
const MAX_PARTICIPANTS = 5000

/** Someone who gets a token of their own. */
type Participant = {
  /** The `user_id` that their tracks get. */
  user_id: string
  /** Shown in the list of tokens and below the QR code; null for none. */
  name: string | null
}

/** The longest texts, in code points, as tokens and tracks have them. */
const LIMITS = { user_id: MAX_USER_ID_LENGTH, bib: 255, name: 200 }

type Field = keyof typeof LIMITS
type Row = ListRow<Field>

/** Spellings of the columns, in lower case with letters and digits alone. */
const COLUMNS: Record<string, Field> = {
  userid: 'user_id',
  user: 'user_id',
  id: 'user_id',
  bib: 'bib',
  bibnumber: 'bib',
  number: 'bib',
  dossard: 'bib',
  name: 'name',
  runner: 'name',
  nom: 'name',
}

/** The columns of a list without a header. */
const PLAIN_COLUMNS: readonly Field[] = ['user_id', 'name']

/** Participants, or their problems: each has the line of the file as its path. */
type ParticipantList = { participants: Participant[]; errors: FieldError[] }

/**
 * Reads participants from CSV. With a header it names the columns `user_id` and `name`, in any order; without
 * `user_id`, the column `bib` is taken, so that a start list can be used as it is. A list without a header has the
 * `user_id` and then, if it likes, the name.
 */
function readParticipantsCsv(bytes: Uint8Array): ParticipantList {
  const rows = readCsvRows(bytes, {
    names: COLUMNS,
    missing: (columns) => (columns.includes('user_id') || columns.includes('bib') ? [] : ['user_id']),
    plain: PLAIN_COLUMNS,
    empty: 'must have a line for each participant',
    maxRows: MAX_PARTICIPANTS,
  })
  return checkParticipants(rows)
}

/** Reads participants from JSON; their problems have the paths in the body. */
function readParticipantsJson(participants: readonly { user_id: string; name?: string | null }[]): ParticipantList {
  return checkParticipants(participants.map((raw, i) => ({ place: `participants/${i}`, raw })))
}

/** Checks each participant, and that no `user_id` is there twice. */
function checkParticipants(rows: Row[] | FieldError): ParticipantList {
  if (!Array.isArray(rows)) return { participants: [], errors: [rows] }
  if (rows.length === 0) return failed('must have a line for each participant')
  if (rows.length > MAX_PARTICIPANTS) return failed(`must have at most ${MAX_PARTICIPANTS} participants`)
  const errors: FieldError[] = []
  const places = new Map<string, string>()
  const participants = rows.map(({ place, raw }) => {
    const report = (field: Field, message: string) => errors.push({ path: pathInRow(place, field), message })
    const text = (field: Field) => checkedText(raw[field], LIMITS[field], (message) => report(field, message))
    const userId = text('user_id') || text('bib')
    const first = firstUse(places, userId, place)
    if (userId === '') report('user_id', 'must not be empty')
    else if (first !== undefined) report('user_id', `must be unique, and is also in ${first}`)
    return { user_id: userId, name: text('name') || null }
  })
  return { participants: errors.length > 0 ? [] : participants, errors }
}

function failed(message: string): ParticipantList {
  return { participants: [], errors: [{ path: '', message }] }
}
