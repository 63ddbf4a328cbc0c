import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { unavailable } from '#platform/basics/errors.ts'
import { permissionDetail } from '#platform/credentials/authentication.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import { requestToken } from '#platform/http/client.ts'
import { contentDisposition } from '#platform/http/content-disposition.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { preferredMediaType } from '#platform/http/negotiation.ts'
import { tokenSecurity } from '#platform/http/problem.ts'
import type { EventDoor } from '../api/doors.ts'
import type { OpenedAppToken } from '../api/event-tokens.ts'
import type { StatisticsSummary } from '../api/operator-track-schemas.ts'
import {
  eventNotFound,
  participantToken,
  permissionMissing,
  shareEnded,
  shareNotFound,
  tokenInvalid,
  tokenMissing,
} from '../model/errors.ts'
import { EventParams } from '../model/schema-fields.ts'
import { openShare } from '../shares/open-share.ts'
import { statisticsSummary } from '../statistics/statistics.ts'
import { type RaceDeps, sharedRanking, visibleRanking } from './race-boards.ts'
import { withClimb } from './race-json.ts'
import { Ranking, type ResultEntry, Results } from './result-schemas.ts'
import { resultsCsv } from './results-csv.ts'

const RANKING = {
  operator: {
    operationId: 'operatorGetRanking',
    summary: 'Get the ranking',
    description:
      'Returns the ranking with all passings, computed from the recorded points. Without a course, the entries of the start list and all tracks are not ranked.',
    problems: [eventNotFound, unavailable],
  },
  spectator: {
    operationId: 'getSharedRanking',
    summary: 'Get the ranking of a share',
    description:
      'Returns the ranking as it was known before the delay for spectators. A share of one track shows its entry alone.',
    problems: [shareNotFound, shareEnded, unavailable],
  },
}

/** GET …/ranking: the ranking of an event. */
export function getRanking(app: HttpServer, door: EventDoor, { raceBoards }: RaceDeps) {
  app.get(
    `${door.path}/ranking`,
    { schema: { ...RANKING[door.audience], ...door.schema, response: { 200: Ranking } } },
    async (request) => await visibleRanking(raceBoards, await door.open(request)),
  )
}

const ResultsQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['json', 'csv'] as const, { description: 'Default: what `Accept` prefers, else JSON.' }),
  ),
  lang: Type.Optional(
    Type.String({
      description:
        'Writes the CSV file for people with a spreadsheet in this language, else in English: headings, words and numbers, durations as `1:23:45.6`, and times of day in the time zone of the event. Default: for programs.',
      examples: ['fr'],
    }),
  ),
})

const described = {
  querystring: ResultsQuery,
  produces: ['application/json', 'text/csv'],
  response: { 200: Results },
}

const RESULTS = {
  operator: {
    operationId: 'operatorGetResults',
    summary: 'Download the results',
    description: 'Returns the results as JSON or CSV. Before the end, they are the ranking so far.',
    problems: [eventNotFound, unavailable],
  },
  spectator: {
    operationId: 'getSharedResults',
    summary: 'Get the results',
    description: 'Returns the results of a share as JSON or CSV. Before the end, they are the ranking so far.',
    problems: [shareNotFound, shareEnded, unavailable],
  },
}

/** GET …/results: the results of an event as JSON or CSV. */
export function getEventResults(app: HttpServer, door: EventDoor, deps: RaceDeps) {
  app.get(
    `${door.path}/results`,
    {
      schema: { ...RESULTS[door.audience], ...door.schema, ...described },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const opened = await door.open(request)
      const ranking = await visibleRanking(deps.raceBoards, opened)
      return await sendResults(deps, request, reply, { ...opened, ranking })
    },
  )
}

/** GET /events/:id/results */
export function getResults(app: HttpServer, deps: RaceDeps) {
  app.get(
    '/events/:id/results',
    {
      schema: {
        ...described,
        operationId: 'getResults',
        summary: 'Get the results',
        description:
          "Returns the results of an event as JSON or CSV, with an app token of the event that may `read`, though not a participant's, or with the token of a share. Before the end, they are the ranking so far. With a share, they end before the delay for spectators.",
        tags: ['Tracks'],
        params: EventParams,
        security: tokenSecurity('read'),
        problems: [
          tokenMissing,
          tokenInvalid,
          permissionMissing,
          participantToken,
          eventNotFound,
          shareEnded,
          unavailable,
        ],
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const { id } = request.params
      const token = requestToken(request.headers)
      if (token === undefined) throw tokenMissing()
      if (token.startsWith('shr_')) {
        const share = await openShare(deps, token)
        if (share.event_id !== id) throw eventNotFound()
        const { event_name: name, shownUntilMs } = share
        return await sendResults(deps, request, reply, {
          id,
          name,
          shownUntilMs,
          ranking: await sharedRanking(deps, share),
        })
      }
      const sha256 = tokenHash(token)
      const opened = await deps.tokens(sha256)
      if (opened === undefined) throw tokenInvalid({ refused: { kind: 'app_token', sha256 } })
      requireWholeEvent(opened)
      const event = opened.eventId === id ? await deps.events.find(id) : undefined
      if (event === undefined) throw eventNotFound()
      const shownUntilMs = Number.POSITIVE_INFINITY
      const ranking = await deps.raceBoards.ranking(id, { untilMs: shownUntilMs, maxAgeMs: 0 })
      return await sendResults(deps, request, reply, { ...event, shownUntilMs, ranking })
    },
  )
}

/** Refuses a token that may not read, or that opens the tracks of one person only. */
function requireWholeEvent({ permissions, userId }: OpenedAppToken): void {
  if (!permissions.includes('read')) throw permissionMissing({ detail: permissionDetail('read') })
  if (userId !== null) throw participantToken()
}

/** A ranking that becomes results, and the time up to which its reader sees everything. */
type Ranked = { id: string; name: string; shownUntilMs: number; ranking: Ranking }

/** Sends results in the format that the address names, else in the best one for `Accept`. */
async function sendResults(deps: RaceDeps, request: FastifyRequest, reply: FastifyReply, ranked: Ranked) {
  const { format, lang: language } = request.query as Static<typeof ResultsQuery>
  const preferred = preferredMediaType(request.headers.accept, ['application/json', 'text/csv'])
  const results: Results = { event: ranked.name, ...ranked.ranking, entries: await withClimbs(deps, ranked) }
  reply.header('vary', 'Accept')
  if (format !== 'csv' && (format === 'json' || preferred !== 'text/csv')) {
    return reply.type('application/json; charset=utf-8').send(results)
  }
  reply.header('content-disposition', contentDisposition('attachment', `${results.event} results`, 'csv'))
  const event = language === undefined ? undefined : await deps.events.find(ranked.id)
  const reader = language === undefined ? undefined : { language, timeZone: event?.time_zone ?? deps.titleTimeZone }
  return reply
    .type('text/csv; charset=utf-8; header=present')
    .send(Readable.from(resultsCsv(results, reader), { objectMode: false }))
}

/** Tracks read at once, of whose statistics each has a kilobyte. */
const TRACKS_PER_READ = 100

/** Returns the entries with the climbs of their tracks, unless the reader sees everything later. */
async function withClimbs(deps: RaceDeps, { id, shownUntilMs, ranking }: Ranked): Promise<ResultEntry[]> {
  if (shownUntilMs !== Number.POSITIVE_INFINITY) return ranking.entries
  const ids = ranking.entries.flatMap(({ track_id }) => track_id ?? [])
  const climbs = new Map<string, StatisticsSummary | null>()
  for (let i = 0; i < ids.length; i += TRACKS_PER_READ) {
    const rows = await deps.operatorTracks.named(id, ids.slice(i, i + TRACKS_PER_READ))
    deps.refreshStatistics(rows)
    for (const row of rows) climbs.set(row.id, statisticsSummary(row))
  }
  return ranking.entries.map((entry) => withClimb(entry, climbs.get(entry.track_id ?? '')))
}
