import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { streamed } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { requireUndamaged } from '../damage/find-damage.ts'
import { trackNotFound } from '../errors.ts'
import { PointList, PointsQuery, TrackParams } from '../schemas/track.ts'
import { readPoints } from '../storage/chunks-store.ts'
import type { TrackRow, TracksTables } from '../storage/tables.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import { writePointsJson } from '../wire/write/write-points.ts'

/** Points per write: some hundred kilobytes of JSON. */
const POINTS_PER_WRITE = 2048

type Deps = {
  db: Kysely<TracksTables>
  tracks: Pick<TracksStore, 'get'>
  metrics: { pointsListed(points: number): void }
}

/** GET /tracks/:id/points */
export function listPoints(app: HttpServer, deps: Deps) {
  app.get(
    '/tracks/:id/points',
    {
      schema: {
        operationId: 'listPoints',
        summary: 'List points',
        description: 'Returns points in time order. Without `limit`, streams all points, however many.',
        tags: ['Points'],
        permission: 'read',
        params: TrackParams,
        querystring: PointsQuery,
        problems: [trackNotFound],
        response: { 200: streamed(PointList) },
      },
      // The answer is written as bytes. The schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ appToken, params, query }, reply) => {
      const track = await deps.tracks.get(appToken, params.id)
      const range = { offset: query.offset ?? 0, limit: query.limit ?? Number.POSITIVE_INFINITY }
      await requireUndamaged(deps.db, track.id)
      reply.type('application/json; charset=utf-8')
      return reply.send(Readable.from(writeList(deps, track, range), { objectMode: false }))
    },
  )
}

type PointRange = { offset: number; limit: number }

/**
 * Writes the answer piece by piece. The count follows the points, because points can arrive while the answer is
 * written. None of those that the track had at the beginning may be missing: if the track is deleted meanwhile, the
 * answer breaks off instead of ending as if it were complete.
 */
async function* writeList(deps: Deps, track: TrackRow, { offset, limit }: PointRange): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"track_id":"${track.id}","points":[`)
  let count = 0
  for await (const points of readPoints(deps.db, track.id, offset, limit)) {
    for (let start = points.from; start < points.to; start += POINTS_PER_WRITE) {
      const end = Math.min(points.to, start + POINTS_PER_WRITE)
      yield writePointsJson(points, start, end, count === 0)
      count += end - start
    }
  }
  const minCount = Math.min(Math.max(0, track.point_count - offset), limit)
  if (count < minCount) throw new Error(`track ${track.id} gave ${count} points of ${minCount}`)
  deps.metrics.pointsListed(count)
  yield Buffer.from(`],"count":${count}}`)
}
