import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type FieldError, invalidFields } from '#platform/basics/errors.ts'
import { momentOf, parseDateTime } from '#platform/basics/time.ts'
import { type IdempotentRequest, runIdempotent } from '#platform/database/idempotency.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { idempotencyKeyOf, sendIdempotent } from '#platform/http/idempotency-key.ts'
import { compileSchema } from '#platform/http/schema-validation.ts'
import { deviceTrackIdTaken, pointsQuotaReached, tracksQuotaReached } from '../model/errors.ts'
import type { TrackRow } from '../model/tables.ts'
import { generateTitle, isBlank, searchText } from '../model/titles.ts'
import type { TrackScope } from '../model/track-rows.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { MAX_POINTS_PER_SYNC, pointsReceipt } from '../points/schemas.ts'
import { chunkRows } from '../points/storage/chunks-store.ts'
import type { ApiDeps } from './deps.ts'
import { namePreferences, pointPreferences, rawJsonBody } from './points-routes.ts'
import {
  StatsCreate,
  SyncCreate,
  SyncCreated,
  SyncFrame,
  type SyncTrack,
  TrackCreate,
  TrackCreated,
} from './track-schemas.ts'

/** POST /tracks */
export function createTrack(app: HttpServer, { db, tracks, now, titleTimeZone }: ApiDeps) {
  app.post(
    '/tracks',
    {
      schema: {
        operationId: 'createTrack',
        summary: 'Create a track',
        description: 'The first request of a recording. The new track is in the state `running`.',
        tags: ['Tracks'],
        permission: 'record',
        body: TrackCreate,
        idempotent: true,
        problems: [deviceTrackIdTaken, tracksQuotaReached],
        response: { 201: TrackCreated },
      },
    },
    async (request, reply) => {
      const { appToken, body } = request
      const errors = foreignUserErrors(appToken, body.user_id, 'user_id')
      if (errors.length > 0) throw invalidFields(errors)
      // A new track has no end, even if a client sends one.
      const fields = { ...body, end_ts: undefined }
      const answer = await runIdempotent(db, trackCreationKey(request, 'createTrack'), now(), async (transaction) => {
        const { row } = await tracks.create(transaction, appToken, ({ time_zone }) => ({
          row: newTrackRow(fields, {
            scope: appToken,
            nowMs: now(),
            titleTimeZone: time_zone ?? titleTimeZone,
            state: 'running',
          }),
        }))
        return { status: 201, body: { id: row.id, device_track_id: row.device_track_id }, subjectId: row.id }
      })
      return sendIdempotent(reply, answer)
    },
  )
}

/** Input for a new track from the service and its points rather than from the request's fields. */
type NewTrackContext = {
  /** The event of the track, and the person of a token that is bound to one. */
  scope: TrackScope
  nowMs: number
  /** Zone of the event, or of the server's settings, for a generated title. */
  titleTimeZone: string
  state: 'running' | 'stopped'
  /**
   * Times of the first and the last point of a track that comes with points. A file can state the local
   * time of the start, in minutes east of UTC.
   */
  pointTimes?: { firstMs: number; lastMs: number; offsetMin?: number | undefined }
}

/** Makes the row of a new track from validated fields. Its points are counted when they are stored. */
export function newTrackRow(fields: TrackCreate & { end_ts?: string | null }, context: NewTrackContext): TrackRow {
  const { scope, nowMs, titleTimeZone, state, pointTimes } = context
  const start = startOf(fields, context)
  const title = isBlank(fields.title ?? '')
    ? generateTitle(start.timeMs, start.offsetMin, titleTimeZone)
    : fields.title!
  const userId = scope.userId ?? fields.user_id ?? null
  return {
    id: randomUUID(),
    event_id: scope.eventId,
    device_track_id: fields.device_track_id,
    title,
    activity_type: fields.activity_type ?? 'run',
    state,
    start_ms: start.timeMs,
    end_ms:
      momentOf(fields.end_ts) ?? (state === 'stopped' && pointTimes ? Math.max(pointTimes.lastMs, start.timeMs) : null),
    user_id: userId,
    image_url: fields.image_url ?? null,
    altitude_reference: fields.altitude_reference ?? null,
    pauses: '[]',
    stopped_at: null,
    resumed_at: null,
    revision: 0,
    point_count: 0,
    last_point_ms: null,
    loose_chunks: 0,
    given_stats: null,
    computed_stats: null,
    computed_revision: null,
    computed_method: null,
    search_text: searchText(title, fields.device_track_id, userId),
    distance_m: null,
    shown_from_ms: null,
    shown_until_ms: null,
    created_at: nowMs,
    updated_at: nowMs,
    coarse_updated_at: nowMs,
    to_compact: 1,
  }
}

/**
 * Refuses a synced track that ends before it starts. `track` may break its schema: times that cannot be read are
 * skipped. `defaultStartMs` is the start of a track without `start_ts`, undefined if it is not known.
 */
function syncTimeErrors(track: unknown, defaultStartMs: number | undefined): FieldError[] {
  const { start_ts, end_ts } = (track ?? {}) as Record<string, unknown>
  const startMs = start_ts === undefined || start_ts === null ? defaultStartMs : momentOf(start_ts)
  const endMs = momentOf(end_ts)
  return startMs !== undefined && endMs !== undefined && endMs < startMs
    ? [{ path: 'track/end_ts', message: 'must not be before start_ts' }]
    : []
}

/** Returns the JSON of the statistics that a client sent, without absent ones; null if it sent none. */
export function givenStatistics(stats: StatsCreate | null | undefined, names: readonly string[]): string | null {
  const given = Object.entries(stats ?? {}).filter(([name, value]) => names.includes(name) && value !== null)
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given))
}

function startOf(fields: TrackCreate, { nowMs, pointTimes }: NewTrackContext) {
  if (typeof fields.start_ts === 'string') return parseDateTime(fields.start_ts)!
  return { timeMs: pointTimes?.firstMs ?? nowMs, offsetMin: pointTimes?.offsetMin }
}

/**
 * Refuses a `user_id` that is not the one to whom the token is bound. Absent and null
 * are fine: the track gets that of the token.
 * @param path place of the field in the body
 */
export function foreignUserErrors({ userId }: TrackScope, given: unknown, path: string): FieldError[] {
  if (userId === null || given === undefined || given === null || given === userId) return []
  return [{ path, message: 'must be the user_id of the token, or absent' }]
}

/**
 * Returns what identifies a creation that may be repeated: its key, for the event and the person of the token, so that
 * nobody gets the answer to someone else. Names of endpoints have no colon, so the person's part begins at the first.
 */
export function trackCreationKey(
  request: FastifyRequest,
  endpoint: string,
  bodySha256?: string,
): IdempotentRequest | undefined {
  const { eventId, userId } = request.appToken
  return idempotencyKeyOf(request, eventId, userId === null ? endpoint : `${endpoint}:${userId}`, bodySha256)
}

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
