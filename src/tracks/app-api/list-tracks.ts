import { createCursorCodec, isCursorText, pageOf } from '#platform/cursor/list-cursor.ts'
import { AppError } from '#platform/errors.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import type { CurrentStatistics } from '../computing/current-statistics.ts'
import { trackNotFound } from '../errors.ts'
import { trackJson } from '../representations/track-json.ts'
import { DEFAULT_TRACKS_PER_PAGE, TrackList, TracksQuery } from '../schemas/track.ts'
import type { TrackRow } from '../storage/tables.ts'
import type { TrackCursor, TracksStore } from '../storage/tracks-store.ts'

type Deps = {
  tracks: Pick<TracksStore, 'list'>
  currentStatistics: CurrentStatistics
}

const cursors = createCursorCodec<TrackCursor>(
  'start desc',
  ({ startMs, id }) => Number.isSafeInteger(startMs) && isCursorText(id),
)

/** GET /tracks */
export function listTracks(app: HttpServer, { tracks, currentStatistics }: Deps) {
  app.get(
    '/tracks',
    {
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
    },
    async ({ appToken, query }, reply) => {
      const limit = query.limit ?? DEFAULT_TRACKS_PER_PAGE
      const filter = {
        state: query.state,
        activityType: query.activity_type,
        userId: query.user_id,
        deviceTrackId: query.device_track_id,
        fromMs: timeMs(query.from),
        toMs: timeMs(query.to),
      }
      const after = query.cursor === undefined ? undefined : cursors.decode(query.cursor)
      const found = await tracks.list(appToken, filter, after, limit + 1)
      const { rows, nextCursor } = pageOf(found, limit, cursors, (row) => ({ startMs: row.start_ms, id: row.id }))
      const left = clientLeft(reply)
      const statisticsOf = (row: TrackRow) => currentStatistics(row, 'phone', left)
      const listed = []
      for (const row of rows) listed.push(...(await unlessDeleted(trackJson(row, statisticsOf))))
      return { tracks: listed, next_cursor: nextCursor }
    },
  )
}

/** Returns the track in a list, or an empty list if the track was deleted after the query. */
async function unlessDeleted<Track>(track: Promise<Track>): Promise<Track[]> {
  try {
    return [await track]
  } catch (error) {
    if (error instanceof AppError && error.status === trackNotFound.status) return []
    throw error
  }
}

function timeMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseDateTime(text)!.timeMs
}
