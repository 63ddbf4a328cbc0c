import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { releaseBody } from '#platform/http/body-limits.ts'
import { type HttpServer, noContent, streamed } from '#platform/http/http-server.ts'
import { readPreferences } from '#platform/http/negotiation.ts'
import { pointsQuotaReached, timestampFull, trackFull, trackNotFound } from '../model/errors.ts'
import type { TrackRow } from '../model/tables.ts'
import type { Handling } from '../points/check-point.ts'
import { writePointsJson } from '../points/json/write-points.ts'
import { MAX_POINTS_PER_REQUEST, PointsReceipt, pointsReceipt } from '../points/schemas.ts'
import { storedPoints } from '../points/storage/chunks-store.ts'
import { MIN_UNCOMPACTED_CHUNKS } from '../points/storage/compactor.ts'
import { requireUndamaged } from '../points/storage/damage.ts'
import type { ApiDeps } from './deps.ts'
import { PointBatch, PointList, PointsQuery, TrackParams } from './track-schemas.ts'

/** POST /tracks/:id/points */
export function addPoints(app: HttpServer, { tracks, points, bodies, compactor, limits, metrics }: ApiDeps) {
  app.post(
    '/tracks/:id/points',
    {
      ...rawJsonBody,
      // There is no answer to compress, and everything depends on the speed of this route.
      compress: false,
      schema: {
        operationId: 'addPoints',
        summary: 'Send GPS points',
        description:
          'Takes at most 10,000 points in any order. 204 means that they are on disk. Duplicates are stored once, so a batch whose answer was lost can simply be sent again. One invalid point refuses the request; with `Prefer: handling=lenient`, invalid points are left out, the others are stored, and the answer is a receipt.',
        tags: ['Points'],
        permission: 'record',
        params: TrackParams,
        body: PointBatch,
        preferences: ['handling=lenient', 'return=representation', 'return=minimal'],
        problems: [trackNotFound, pointsQuotaReached, trackFull, timestampFull],
        response: { 200: PointsReceipt, 204: noContent('The points are on disk.') },
      },
    },
    async (request, reply) => {
      const { appToken, tokenHash, params } = request
      const preferences = pointPreferences(request)
      const body = request.bodyBytes ?? Buffer.alloc(0)
      const bytes = body.length
      const { points: sent, rejected } = await bodies.points(
        { body, maxPoints: MAX_POINTS_PER_REQUEST, handling: preferences.handling },
        { eventId: appToken.eventId, person: tokenHash },
      )
      request.bodyBytes = undefined
      releaseBody(body)
      let storedCount = 0
      if (sent.count === 0) {
        await tracks.get(appToken, params.id)
      } else {
        if (limits.isFull(appToken.eventId)) throw pointsQuotaReached()
        const receipt = await points.append(appToken, params.id, sent)
        if (receipt.uncompactedChunks >= MIN_UNCOMPACTED_CHUNKS) compactor.add(params.id)
        storedCount = receipt.addedCount
        metrics.pointsReceived(sent.count, bytes)
      }
      namePreferences(reply, preferences)
      if (!preferences.withReceipt) return reply.code(204).send()
      return reply.code(200).send(pointsReceipt(sent.count, storedCount, rejected))
    },
  )
}

/** Points per write: some hundred kilobytes of JSON. */
const POINTS_PER_WRITE = 2048

/** GET /tracks/:id/points */
export function listPoints(app: HttpServer, deps: ApiDeps) {
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
async function* writeList(deps: ApiDeps, track: TrackRow, { offset, limit }: PointRange): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"track_id":"${track.id}","points":[`)
  let count = 0
  for await (const points of storedPoints(deps.db, track.id, offset, limit)) {
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

/** The preferences of a request with points, from its `Prefer` header (RFC 7240). */
type PointPreferences = {
  handling: Handling
  /** The answer is a receipt. */
  withReceipt: boolean
  /** Value of `Preference-Applied`; empty if nothing differs from a request without the header. */
  applied: string
}

const PLAIN: PointPreferences = { handling: 'strict', withReceipt: false, applied: '' }

/** Returns the preferences of a request. A lenient one gets a receipt, unless it asks for a minimal answer. */
export function pointPreferences({ headers }: FastifyRequest): PointPreferences {
  if (headers.prefer === undefined) return PLAIN
  const preferences = readPreferences(headers.prefer)
  const isLenient = preferences.get('handling') === 'lenient'
  const wanted = preferences.get('return')
  const applied = [
    ...(isLenient ? ['handling=lenient'] : []),
    ...(wanted === 'representation' || (isLenient && wanted === 'minimal') ? [`return=${wanted}`] : []),
  ]
  return {
    handling: isLenient ? 'lenient' : 'strict',
    withReceipt: wanted === 'representation' || (isLenient && wanted !== 'minimal'),
    applied: applied.join(', '),
  }
}

/** Names the preferences that an answer fulfils. */
export function namePreferences(reply: FastifyReply, { applied }: PointPreferences): void {
  if (applied !== '') reply.header('preference-applied', applied)
}

/** Largest body with points, decompressed. */
const MAX_POINTS_BODY_BYTES = 64 * 1_048_576

/**
 * Options of routes whose body schema only serves the API reference. A scanner of our own validates the body: a schema
 * validator needs an object for each of 10,000 points, the scanner reads bytes into columns.
 */
export const rawJsonBody = {
  config: { rawJson: { limitBytes: MAX_POINTS_BODY_BYTES } },
  validatorCompiler: () => () => true,
} as const
