import { noContent } from '#platform/http/answer-schemas.ts'
import { releaseBody } from '#platform/http/bodies/body-buffer-pool.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { type Compactor, MIN_UNCOMPACTED_CHUNKS } from '../computing/compactor.ts'
import { type BodyReader, scanShortBody } from '../computing/reading/body-reader.ts'
import { pointsOfScanned } from '../computing/reading/body-task.ts'
import { pointsQuotaReached, timestampFull, trackFull, trackNotFound } from '../errors.ts'
import { pointsReceipt } from '../representations/points-receipt.ts'
import { PointsReceipt } from '../schemas/receipt.ts'
import { MAX_POINTS_PER_REQUEST, PointBatch, TrackParams } from '../schemas/track.ts'
import type { PointsWriter } from '../storage/appends/points-writer.ts'
import type { EventLimits } from '../storage/event-limits.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import { namePreferences, pointPreferences } from './point-preferences.ts'
import { rawJsonBody } from './raw-json-body.ts'

type Deps = {
  tracks: Pick<TracksStore, 'get'>
  points: Pick<PointsWriter, 'append'>
  bodies: Pick<BodyReader, 'readPoints'>
  compactor: Pick<Compactor, 'add'>
  limits: Pick<EventLimits, 'isFull'>
  metrics: { pointsReceived(points: number, bytes: number): void }
}

/** POST /tracks/:id/points */
export function addPoints(app: HttpServer, { tracks, points, bodies, compactor, limits, metrics }: Deps) {
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
      const wishes = pointPreferences(request)
      const rules = { maxPoints: MAX_POINTS_PER_REQUEST, handling: wishes.handling }
      const body = request.bodyBytes ?? Buffer.alloc(0)
      const bytes = body.length
      const scanned = scanShortBody(body, MAX_POINTS_PER_REQUEST)
      const { points: sent, rejected } =
        scanned === undefined
          ? await bodies.readPoints(body, rules, { eventId: appToken.eventId, person: tokenHash })
          : pointsOfScanned(scanned.points, wishes.handling)
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
      namePreferences(reply, wishes)
      if (!wishes.withReceipt) return reply.code(204).send()
      return reply.code(200).send(pointsReceipt(sent.count, storedCount, rejected))
    },
  )
}
