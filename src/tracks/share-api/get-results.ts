import { unavailable } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { permissionDetail } from '#platform/http/permissions/require-permissions.ts'
import { tokenSecurity } from '#platform/http/problems/describe-problems.ts'
import { requestToken } from '#platform/tokens/request-token.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import type { TokenLookup } from '#platform/tokens/token-lookup.ts'
import {
  eventNotFound,
  participantToken,
  permissionMissing,
  shareEnded,
  shareNotFound,
  tokenInvalid,
  tokenMissing,
} from '../errors.ts'
import { sendResults } from '../representations/send-results.ts'
import { EventParams, SharedParams } from '../schemas/addresses.ts'
import { Results, ResultsQuery } from '../schemas/race.ts'
import type { OpenedAppToken } from '../storage/app-tokens-store.ts'
import type { EventsStore } from '../storage/events-store.ts'
import type { SharesStore } from '../storage/shares-store.ts'
import { openShare, type ShareDeps } from './open-share.ts'
import { type RankingDeps, sharedRanking } from './shared-ranking.ts'

const described = {
  summary: 'Get the results',
  querystring: ResultsQuery,
  produces: ['application/json', 'text/csv'],
  response: { 200: Results },
}

/** GET /shares/:token/results */
export function getSharedResults(app: HttpServer, deps: ShareDeps & RankingDeps) {
  app.get(
    '/shares/:token/results',
    {
      schema: {
        ...described,
        operationId: 'getSharedResults',
        description: 'Returns the results of a share as JSON or CSV. Before the end, they are the ranking so far.',
        tags: ['Shared'],
        params: SharedParams,
        problems: [shareNotFound, shareEnded, unavailable],
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const share = await openShare(deps, request.params.token)
      return sendResults(request, reply, { event: share.event_name, ...(await sharedRanking(deps, share)) })
    },
  )
}

type EventResultsDeps = ShareDeps &
  RankingDeps & {
    shares: Pick<SharesStore, 'findByToken'>
    events: Pick<EventsStore, 'find'>
    tokens: TokenLookup<OpenedAppToken>
  }

/** GET /events/:id/results */
export function getResults(app: HttpServer, deps: EventResultsDeps) {
  app.get(
    '/events/:id/results',
    {
      schema: {
        ...described,
        operationId: 'getResults',
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
        return sendResults(request, reply, { event: share.event_name, ...(await sharedRanking(deps, share)) })
      }
      const sha256 = tokenHash(token)
      const opened = await deps.tokens(sha256)
      if (opened === undefined) throw tokenInvalid({ refused: { kind: 'app_token', sha256 } })
      requireWholeEvent(opened)
      const event = opened.eventId === id ? await deps.events.find(id) : undefined
      if (event === undefined) throw eventNotFound()
      const ranking = await deps.raceBoards.ranking(id, { untilMs: Number.POSITIVE_INFINITY, maxAgeMs: 0 })
      return sendResults(request, reply, { event: event.name, ...ranking })
    },
  )
}

/** Refuses a token that may not read, or that opens the tracks of one person only. */
function requireWholeEvent({ permissions, userId }: OpenedAppToken): void {
  if (!permissions.includes('read')) throw permissionMissing({ detail: permissionDetail('read') })
  if (userId !== null) throw participantToken()
}
