import { invalidFields } from '#platform/basics/errors.ts'
import { runIdempotent } from '#platform/database/idempotency.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { sendIdempotent } from '#platform/http/idempotency-key.ts'
import { compileSchema } from '#platform/http/schema-validation.ts'
import { deviceTrackIdTaken, pointsQuotaReached, tracksQuotaReached } from '../model/errors.ts'
import type { TrackRow } from '../model/tables.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { pointsReceipt } from '../points/schemas.ts'
import { chunkRows } from '../points/storage/chunks-store.ts'
import { foreignUserErrors, givenStatistics, newTrackRow, syncTimeErrors, trackCreationKey } from './create-track.ts'
import type { ApiDeps } from './deps.ts'
import { namePreferences, pointPreferences, rawJsonBody } from './points-routes.ts'
import {
  MAX_POINTS_PER_SYNC,
  StatsCreate,
  SyncCreate,
  SyncCreated,
  SyncFrame,
  type SyncTrack,
} from './track-schemas.ts'

/** POST /sync */
export function syncTrack(app: HttpServer, deps: ApiDeps) {
  const { db, tracks, bodies, compactor, metrics, limits, now, titleTimeZone } = deps
  const validateFrame = compileSchema(app, SyncFrame)
  app.post(
    '/sync',
    {
      ...rawJsonBody,
      schema: {
        operationId: 'syncTrack',
        summary: 'Send a whole activity',
        description:
          'Creates a stopped track with its points (at most 50,000) and the statistics of the device, all or nothing. With `Prefer: handling=lenient`, invalid points are left out, and the answer says which.',
        tags: ['Tracks'],
        permission: 'record',
        body: SyncCreate,
        idempotent: true,
        preferences: ['handling=lenient', 'return=representation', 'return=minimal'],
        problems: [deviceTrackIdTaken, tracksQuotaReached, pointsQuotaReached],
        response: { 201: SyncCreated },
      },
    },
    async (request, reply) => {
      const { appToken, tokenHash } = request
      const preferences = pointPreferences(request)
      const sent = request.bodyBytes ?? Buffer.alloc(0)
      const sentBytes = sent.length
      const body = await bodies.sync(
        { body: sent, maxPoints: MAX_POINTS_PER_SYNC, handling: preferences.handling },
        { eventId: appToken.eventId, person: tokenHash },
      )
      const points = body.errorCount > 0 ? undefined : body.points
      const pointTimes = points && timesOf(points)
      const nowMs = now()
      const errors = [
        ...validateFrame(frameOf(body)),
        ...syncTimeErrors(body.track, points && (pointTimes?.firstMs ?? nowMs)),
        ...foreignUserErrors(appToken, (body.track as Partial<SyncTrack> | null | undefined)?.user_id, 'track/user_id'),
      ]
      if (points === undefined || errors.length > 0) {
        throw invalidFields([...errors, ...body.errors], errors.length + body.errorCount)
      }
      const track = body.track as SyncTrack
      const context = { scope: appToken, nowMs, state: 'stopped' as const, pointTimes }

      const answer = await runIdempotent(
        db,
        trackCreationKey(request, 'syncTrack', body.bodySha256),
        now(),
        async (transaction) => {
          if (points.count > 0 && limits.isFull(appToken.eventId)) throw pointsQuotaReached()
          const { row, chunks } = await tracks.create(transaction, appToken, ({ time_zone }) =>
            syncRows(newTrackRow(track, { ...context, titleTimeZone: time_zone ?? titleTimeZone }), points, body.stats),
          )
          if (chunks.length > 0) await transaction.insertInto('chunks').values(chunks).execute()
          const receipt = preferences.withReceipt && {
            points: pointsReceipt(points.count, points.count, body.rejected),
          }
          return { status: 201, body: { track_id: row.id, ...receipt }, subjectId: row.id }
        },
      )
      metrics.pointsReceived(points.count, sentBytes)
      if (!answer.replayed) compactor.add((answer.body as { track_id: string }).track_id)
      namePreferences(reply, preferences)
      return sendIdempotent(reply, answer)
    },
  )
}

/** Completes the row of a new track with its points and the device's statistics, and encodes the points. */
function syncRows(newRow: TrackRow, points: PointColumns, stats: unknown) {
  const chunks = points.count === 0 ? [] : chunkRows(newRow.id, points)
  const row: TrackRow = {
    ...newRow,
    given_stats: givenStatistics(stats as StatsCreate | null, Object.keys(StatsCreate.properties)),
    point_count: points.count,
    last_point_ms: timesOf(points)?.lastMs ?? null,
    loose_chunks: chunks.length,
  }
  return { row, chunks }
}

/** Returns the body without its points, for the schema to validate. Absent parts stay absent. */
function frameOf({ track, stats }: { track: unknown; stats: unknown }): object {
  return { ...(track === undefined ? {} : { track }), ...(stats === undefined ? {} : { stats }) }
}

function timesOf(points: PointColumns): { firstMs: number; lastMs: number } | undefined {
  return points.count === 0 ? undefined : { firstMs: points.timeMs[0], lastMs: points.timeMs[points.count - 1] }
}
