import type { FastifyRequest, FastifySchema } from 'fastify'
import { createCursorCodec, isCursorText, pageOf } from '#platform/basics/list-cursor.ts'
import { foldText } from '#platform/basics/text.ts'
import { momentOf } from '#platform/basics/time.ts'
import { disconnectSignal } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound, trackNotFound } from '../model/errors.ts'
import { findTrackPage } from '../model/operator-tracks-store.ts'
import { EventParams } from '../model/schema-fields.ts'
import type { TrackRow } from '../model/tables.ts'
import type { TrackCursor } from '../model/tracks-store.ts'
import type { ApiDeps } from './deps.ts'
import { DEFAULT_OPERATOR_TRACKS_PER_PAGE, TrackSummariesQuery, TrackSummaryList } from './operator-track-schemas.ts'
import { trackJson, trackSummary } from './track-json.ts'
import { DEFAULT_TRACKS_PER_PAGE, TrackList, TracksQuery } from './track-schemas.ts'

/** An audience's door to a list of tracks. */
export type TrackListDoor = {
  path: string
  schema: FastifySchema
  /** Finds the tracks of a page, as the audience may see them. Throws if the request may not come in. */
  find(request: FastifyRequest): Promise<{ rows: TrackRow[]; nextCursor: string | null; total?: number }>
  /** Represents the tracks of a page. Some may have been deleted meanwhile. */
  json(rows: readonly TrackRow[], left: AbortSignal): Promise<object[]> | object[]
}

/** GET /tracks, GET /operator/events/:id/tracks, GET /shares/:token/tracks */
export function listTracks(app: HttpServer, { path, schema, find, json }: TrackListDoor) {
  app.get(path, { schema }, async (request, reply) => {
    const { rows, nextCursor, ...total } = await find(request)
    return { tracks: await json(rows, disconnectSignal(reply)), ...total, next_cursor: nextCursor }
  })
}

const cursors = createCursorCodec<TrackCursor>(
  'start desc',
  ({ startMs, id }) => Number.isSafeInteger(startMs) && isCursorText(id),
)

/** Creates the door for apps, by their token. */
export function appTrackList({ tracks, currentStatistics }: ApiDeps): TrackListDoor {
  return {
    path: '/tracks',
    schema: {
      operationId: 'listTracks',
      summary: 'List tracks',
      description:
        "Returns the event's tracks, or the participant's, newest start first. `next_cursor` leads to the next page and is null on the last.",
      tags: ['Tracks'],
      permission: 'read',
      querystring: TracksQuery,
      response: { 200: TrackList },
    },
    async find(request) {
      const query = request.query as TracksQuery
      const limit = query.limit ?? DEFAULT_TRACKS_PER_PAGE
      const filter = {
        state: query.state,
        activityType: query.activity_type,
        userId: query.user_id,
        deviceTrackId: query.device_track_id,
        fromMs: momentOf(query.from),
        toMs: momentOf(query.to),
      }
      const after = query.cursor === undefined ? undefined : cursors.decode(query.cursor)
      const found = await tracks.list(request.appToken, filter, after, limit + 1)
      return pageOf(found, limit, cursors, (row) => ({ startMs: row.start_ms, id: row.id }))
    },
    async json(rows, left) {
      const statisticsOf = (row: TrackRow) => currentStatistics(row, 'phone', left)
      const listed = []
      for (const row of rows) listed.push(...(await unlessDeleted(trackJson(row, statisticsOf))))
      return listed
    },
  }
}

/** Returns the track in a list, or an empty list if the track was deleted after the query. */
async function unlessDeleted<Track>(track: Promise<Track>): Promise<Track[]> {
  try {
    return [await track]
  } catch (error) {
    if (trackNotFound.is(error)) return []
    throw error
  }
}

/** Creates the door for operators. */
export function operatorTrackList({ events, operatorTracks, refreshStatistics }: ApiDeps): TrackListDoor {
  return {
    path: '/operator/events/:id/tracks',
    schema: {
      operationId: 'operatorListTracks',
      summary: "List an event's tracks",
      description:
        'Searches, filters and sorts the tracks of an event. Statistics are those computed last, so that thousands of tracks can be listed; outdated ones are recomputed soon after.',
      params: EventParams,
      querystring: TrackSummariesQuery,
      problems: [eventNotFound],
      response: { 200: TrackSummaryList },
    },
    async find({ params, query }) {
      const { id } = params as { id: string }
      const { ids, q, state, activity_type, from, to, cursor, ...page } = query as TrackSummariesQuery
      await events.get(id)
      if (ids !== undefined) {
        const rows = await operatorTracks.named(id, ids.split(','))
        refreshStatistics(rows)
        return { rows, nextCursor: null, total: rows.length }
      }
      const { search, total } = await operatorTracks.narrow(id, {
        text: q === undefined ? undefined : foldText(q),
        state,
        activityType: activity_type,
        fromMs: momentOf(from),
        toMs: momentOf(to),
      })
      const { sort = 'start', limit = DEFAULT_OPERATOR_TRACKS_PER_PAGE } = page
      const descending = (page.order ?? (sort === 'title' ? 'asc' : 'desc')) === 'desc'
      // PostgreSQL works on both at the same time.
      const [{ rows, nextCursor }, count] = await Promise.all([
        findTrackPage(operatorTracks, id, search, { sort, descending, limit, cursor }),
        total ?? operatorTracks.count(id, search),
      ])
      refreshStatistics(rows)
      return { rows, nextCursor, total: count }
    },
    json: (rows) => rows.map(trackSummary),
  }
}
