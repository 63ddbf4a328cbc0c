import type { HttpServer } from '#platform/http/http-server.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import type { RefreshStatistics } from '../../computing/refresh-statistics.ts'
import { foldText } from '../../domain/search-text.ts'
import { eventNotFound } from '../../errors.ts'
import { findTrackPage } from '../../representations/track-page.ts'
import { trackSummary } from '../../representations/track-summary.ts'
import { EventParams } from '../../schemas/addresses.ts'
import {
  DEFAULT_OPERATOR_TRACKS_PER_PAGE,
  TrackSummariesQuery,
  TrackSummaryList,
} from '../../schemas/track-summaries.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { OperatorTracksStore } from '../../storage/operator-tracks-store.ts'

type Deps = {
  events: Pick<EventsStore, 'find'>
  operatorTracks: Pick<OperatorTracksStore, 'search' | 'narrow' | 'count'>
  refreshStatistics: RefreshStatistics
}

/** GET /operator/events/:id/tracks */
export function listTracks(app: HttpServer, { events, operatorTracks, refreshStatistics }: Deps) {
  app.get(
    '/operator/events/:id/tracks',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorListTracks',
        summary: "List an event's tracks",
        description:
          'Searches, filters and sorts the tracks of an event. Statistics are those computed last, so that thousands of tracks can be listed; outdated ones are recomputed soon after.',
        tags: ['Operator'],
        params: EventParams,
        querystring: TrackSummariesQuery,
        problems: [eventNotFound],
        response: { 200: TrackSummaryList },
      },
    },
    async ({ params, query }) => {
      if ((await events.find(params.id)) === undefined) throw eventNotFound()
      const { search, total } = await operatorTracks.narrow(params.id, {
        text: query.q === undefined ? undefined : foldText(query.q),
        state: query.state,
        activityType: query.activity_type,
        fromMs: timeMs(query.from),
        toMs: timeMs(query.to),
      })
      const sort = query.sort ?? 'start'
      // PostgreSQL works on both at the same time.
      const [{ rows, nextCursor }, count] = await Promise.all([
        findTrackPage(operatorTracks, params.id, search, {
          sort,
          descending: (query.order ?? (sort === 'title' ? 'asc' : 'desc')) === 'desc',
          limit: query.limit ?? DEFAULT_OPERATOR_TRACKS_PER_PAGE,
          cursor: query.cursor,
        }),
        total ?? operatorTracks.count(params.id, search),
      ])
      refreshStatistics(rows)
      return { tracks: rows.map(trackSummary), total: count, next_cursor: nextCursor }
    },
  )
}

function timeMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseDateTime(text)!.timeMs
}
