import { AppError, invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import type { TracksDeps } from '../deps.ts'
import { trackNotFound } from '../errors.ts'
import { trackJson } from '../representations/track-json.ts'
import { TrackList, TracksQuery, USUAL_TRACKS_PER_PAGE } from '../schemas/track.ts'
import type { TrackRow } from '../storage/tables.ts'
import type { TrackCursor } from '../storage/tracks-store.ts'

/** GET /tracks */
export function listTracks(app: HttpServer, { tracks, currentStatistics }: TracksDeps) {
  app.get(
    '/tracks',
    {
      schema: {
        operationId: 'listTracks',
        summary: 'List tracks',
        description:
          "The event's tracks, newest first by start. `next_cursor` leads to the next page and is null on the last.",
        tags: ['Tracks'],
        querystring: TracksQuery,
        response: { 200: TrackList },
      },
    },
    async ({ eventId, query }) => {
      const limit = query.limit ?? USUAL_TRACKS_PER_PAGE
      const filter = {
        state: query.state,
        activityType: query.activity_type,
        userId: query.user_id,
        deviceTrackId: query.device_track_id,
        fromMs: timeMs(query.from),
        toMs: timeMs(query.to),
      }
      const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
      // One more than asked for tells whether there is a next page.
      const rows = await tracks.list(eventId, filter, after, limit + 1)
      const shown = rows.slice(0, limit)
      const listed = []
      for (const row of shown) listed.push(...(await unlessDeleted(trackJson(row, currentStatistics))))
      return { tracks: listed, next_cursor: rows.length > limit ? encodeCursor(shown[shown.length - 1]) : null }
    },
  )
}

/** The track in a list, or an empty one where it was deleted after it had been found. */
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

function encodeCursor(row: TrackRow): string {
  return Buffer.from(`${row.start_ms} ${row.id}`).toString('base64url')
}

function decodeCursor(cursor: string): TrackCursor {
  const [, startMs, id] =
    /^(-?\d{1,15}) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (id === undefined) throw invalidFields([{ path: 'cursor', message: 'must be a next_cursor of this list' }])
  return { startMs: Number(startMs), id }
}
