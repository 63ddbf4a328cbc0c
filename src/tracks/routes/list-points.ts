import { Readable } from 'node:stream'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { TracksDeps } from '../deps.ts'
import { trackNotFound } from '../errors.ts'
import { ListedPoints, PointsQuery, TrackParams } from '../schemas.ts'
import { readPoints } from '../storage/chunks-store.ts'
import { writePointsJson } from '../wire/write-points.ts'

/** Points that are written at once: some hundred kilobytes of JSON. */
const POINTS_PER_WRITE = 2048

/** GET /tracks/:id/points */
export function listPoints(app: HttpServer, deps: TracksDeps) {
  app.get<{ Params: { id: string }; Querystring: { limit?: number; offset?: number } }>(
    '/tracks/:id/points',
    {
      schema: {
        operationId: 'listPoints',
        summary: 'List points',
        description: 'By time. Without `limit` all points, streamed, however many.',
        tags: ['Points'],
        params: TrackParams,
        querystring: PointsQuery,
        problems: [trackNotFound],
        response: { 200: ListedPoints },
      },
      // The answer is written as bytes; the schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ eventId, params, query }, reply) => {
      const track = await deps.tracks.get(eventId, params.id)
      const offset = query.offset ?? 0
      const count = Math.max(0, Math.min(track.point_count - offset, query.limit ?? Number.POSITIVE_INFINITY))
      deps.metrics.pointsListed(count)
      reply.type('application/json; charset=utf-8')
      return reply.send(Readable.from(writeList(deps, track.id, offset, count), { objectMode: false }))
    },
  )
}

/**
 * The answer, piece by piece. The count stands before the points, so exactly so many are written, also when others
 * arrive meanwhile. Should points be missing, because the track was deleted, the answer breaks off rather than lie.
 */
async function* writeList({ db }: TracksDeps, trackId: string, offset: number, count: number): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"track_id":"${trackId}","count":${count},"points":[`)
  let written = 0
  if (count > 0) {
    for await (const points of readPoints(db, trackId, offset, count)) {
      for (let start = points.from; start < points.to; start += POINTS_PER_WRITE) {
        const end = Math.min(points.to, start + POINTS_PER_WRITE)
        yield writePointsJson(points, start, end, written === 0)
        written += end - start
      }
    }
  }
  if (written !== count) throw new Error(`track ${trackId} gave ${written} points of ${count}`)
  yield Buffer.from(']}')
}
