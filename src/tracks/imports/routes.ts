import { hash } from 'node:crypto'
import type { FastifyRequest, FastifySchema } from 'fastify'
import type { Transaction } from 'kysely'
import { gone, invalidFields, unprocessable, unsupportedMediaType } from '#platform/basics/errors.ts'
import { type IdempotentAnswer, type IdempotentRequest, runIdempotent } from '#platform/database/idempotency.ts'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import { disconnectSignal } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { sendIdempotent } from '#platform/http/idempotency-key.ts'
import { readRequestBody } from '#platform/http/request-body.ts'
import { foreignUserErrors, givenStatistics, newTrackRow, trackCreationKey } from '../api/create-track.ts'
import type { ApiDeps } from '../api/deps.ts'
import { StatsCreate } from '../api/track-schemas.ts'
import { deviceTrackIdTaken, eventNotFound, pointsQuotaReached, tracksQuotaReached } from '../model/errors.ts'
import { EventParams } from '../model/schema-fields.ts'
import type { TrackRow, TracksTables } from '../model/tables.ts'
import { isBlank } from '../model/titles.ts'
import { type TrackScope, wholeEvent } from '../model/track-rows.ts'
import { chunkRow } from '../points/storage/chunks-store.ts'
import type { ImportReader } from './import-reader.ts'
import type { ReadFile, ReadTrack } from './import-worker.ts'
import { MAX_FILE_BYTES, RECORDING_TYPES, type RecordingFormat } from './recorded-track.ts'
import { type ImportedTrack, ImportQuery, RecordingFile, TracksImported } from './schemas.ts'

type Deps = ApiDeps & { imports: ImportReader }

/** An audience's door to imports: the address of the route, and who imports into which event. */
type ImportDoor = {
  path: string
  schema: FastifySchema
  /** Returns the scope of the new tracks, and the person whose files wait for each other. */
  open(request: FastifyRequest, deps: Deps): Promise<{ scope: TrackScope; person: string }>
  /** Identifies an import that may be repeated. */
  keyOf(request: FastifyRequest): IdempotentRequest | undefined
}

/** The door for apps and programs, by their token. */
export const appImportDoor: ImportDoor = {
  path: '/tracks/import',
  schema: {
    operationId: 'importTracks',
    description:
      'Creates a stopped track for each track or activity of a file, with its points and the totals of its device, all or nothing. The same file again is refused with 409 and the `track_id` of what is there.',
    tags: ['Tracks'],
    permission: 'record',
    idempotent: true,
    problems: [deviceTrackIdTaken, tracksQuotaReached, pointsQuotaReached, unprocessable],
  },
  async open({ appToken, query }) {
    const { user_id } = query as ImportQuery
    const errors = foreignUserErrors(appToken, user_id, 'user_id')
    if (errors.length > 0) throw invalidFields(errors)
    return { scope: appToken, person: appToken.userId ?? user_id ?? '' }
  },
  keyOf: (request) => trackCreationKey(request, 'importTracks'),
}

/** The door for operators. */
export const operatorImportDoor: ImportDoor = {
  path: '/operator/events/:id/import',
  schema: {
    operationId: 'operatorImportTracks',
    description: 'Creates the tracks of a file in the event, as `POST /tracks/import` does with a token.',
    params: EventParams,
    problems: [eventNotFound, deviceTrackIdTaken, tracksQuotaReached, pointsQuotaReached, unprocessable],
  },
  async open({ params, operatorId }, { events }) {
    const { id } = params as { id: string }
    await events.get(id)
    return { scope: wholeEvent(id), person: `operator ${operatorId}` }
  },
  keyOf: () => undefined,
}

/** POST /tracks/import, POST /operator/events/:id/import. In a scope of its own, because it takes files. */
export function importTracks(app: HttpServer, door: ImportDoor, deps: Deps) {
  app.post(
    door.path,
    {
      schema: {
        summary: 'Import a file',
        ...door.schema,
        consumes: [...IMPORT_TYPES],
        querystring: ImportQuery,
        body: RecordingFile,
        response: { 201: TracksImported },
      },
      // The thread that reads the file checks it.
      validatorCompiler: ({ schema, httpPart, ...rest }) =>
        httpPart === 'body' ? () => true : app.validatorCompiler!({ schema, httpPart, ...rest }),
    },
    async (request, reply) => {
      const { scope, person } = await door.open(request, deps)
      const sent = sentFile(request)
      const fileBytes = sent.bytes.length
      const idempotencyKey = door.keyOf(request)
      const file = await deps.imports.read(sent, { eventId: scope.eventId, person }, disconnectSignal(reply))
      const asked = { scope, query: request.query as ImportQuery, fileBytes, idempotencyKey }
      return sendIdempotent(reply, await storeImport(deps, file, asked))
    },
  )
}

const UNTYPED = 'application/octet-stream'

/** Types of the files that can be imported; the last one leaves it to the content. */
const IMPORT_TYPES: readonly string[] = [...Object.values(RECORDING_TYPES), UNTYPED]

/** Makes the routes of this scope accept recordings as bytes, and no other type. */
export function acceptImportBodies(app: HttpServer, budget: BodyBudget): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...IMPORT_TYPES], async (request: FastifyRequest) => {
    request.bodyBytes = await readRequestBody(request, MAX_FILE_BYTES, budget)
    return request.bodyBytes
  })
}

/** Returns the file of a request, and the format that its type states. @throws unsupportedMediaType without a file */
function sentFile({ body, headers }: FastifyRequest): { bytes: Buffer; format: RecordingFormat | undefined } {
  if (!Buffer.isBuffer(body)) {
    throw unsupportedMediaType({ detail: `The body must be a file, as one of ${IMPORT_TYPES.join(', ')}.` })
  }
  const type = headers['content-type']?.split(';')[0].trim().toLowerCase()
  const format = Object.entries(RECORDING_TYPES).find(([, value]) => value === type)?.[0]
  return { bytes: body, format: format as RecordingFormat | undefined }
}

/** The place of an import, and the wishes of its query. */
type ImportRequest = {
  /** The event, and the person of a token that is bound to one. */
  scope: TrackScope
  query: ImportQuery
  /** Size of the file, for the metrics. */
  fileBytes: number
  idempotencyKey: IdempotentRequest | undefined
}

/** Rows per statement: 6 values each, of the 32,766 that SQLite binds at most. */
const CHUNKS_PER_INSERT = 1_000

/** The response as it is remembered: without texts, which would stay when a track is deleted. */
type RememberedTrack = Pick<ImportedTrack, 'track_id' | 'points_count' | 'points_left_out'>
type Remembered = { tracks: RememberedTrack[]; tracks_left_out: number }

/**
 * Stores all tracks of a file in one transaction, stopped, with the totals of the device as given statistics.
 * @throws invalidFields for a title or an id that several tracks cannot share; deviceTrackIdTaken for a file that was
 *   imported before; tracksQuotaReached, pointsQuotaReached
 */
async function storeImport(deps: ApiDeps, file: ReadFile, request: ImportRequest) {
  const { db, limits, metrics, compactor, now } = deps
  refuseSharedFields(file, request.query)
  const answer = await runIdempotent(db, request.idempotencyKey, now(), async (transaction) => {
    if (limits.isFull(request.scope.eventId)) throw pointsQuotaReached()
    const tracks: RememberedTrack[] = []
    for (const [i, track] of file.tracks.entries()) {
      const { id } = await storeTrack(transaction, deps, track, { ...request, deviceTrackId: idOf(file, i, request) })
      tracks.push({ track_id: id, points_count: track.pointsCount, points_left_out: track.leftOutCount })
    }
    const body: Remembered = { tracks, tracks_left_out: file.leftOutTracksCount }
    return { status: 201, body, subjectId: tracks[0].track_id }
  })
  const remembered = answer.body as Remembered
  if (!answer.replayed) {
    const points = remembered.tracks.reduce((sum, { points_count }) => sum + points_count, 0)
    metrics.pointsReceived(points, request.fileBytes)
    for (const { track_id } of remembered.tracks) compactor.add(track_id)
  }
  return { ...answer, body: await completed(deps, request.scope, remembered) } satisfies IdempotentAnswer
}

function refuseSharedFields({ tracks }: ReadFile, query: ImportRequest['query']): void {
  if (tracks.length === 1) return
  const shared = (['title', 'device_track_id'] as const).filter((name) => query[name] !== undefined)
  const message = `must be absent for a file with ${tracks.length} tracks`
  if (shared.length > 0) throw invalidFields(shared.map((path) => ({ path, message })))
}

/**
 * Returns the `device_track_id` of a track: of the query, or one that the same file always gets for the same person, so
 * that a file is imported once, and two people can import the same one.
 */
function idOf({ fileSha256 }: ReadFile, index: number, { query, scope }: ImportRequest): string {
  const userId = scope.userId ?? query.user_id ?? null
  const owned = hash('sha256', JSON.stringify([fileSha256, userId]), 'hex').slice(0, 32)
  return query.device_track_id ?? `import-${owned}-${index + 1}`
}

async function storeTrack(
  transaction: Transaction<TracksTables>,
  { tracks, now, titleTimeZone }: ApiDeps,
  track: ReadTrack,
  { scope, query, deviceTrackId }: ImportRequest & { deviceTrackId: string },
): Promise<TrackRow> {
  const { row } = await tracks.create(transaction, scope, ({ time_zone }) => ({
    row: importedRow(
      newTrackRow(
        {
          device_track_id: deviceTrackId,
          title: isBlank(query.title) ? track.title : query.title,
          activity_type: track.activityType ?? query.activity_type,
          user_id: query.user_id,
        },
        {
          scope,
          nowMs: now(),
          titleTimeZone: time_zone ?? titleTimeZone,
          state: 'stopped',
          pointTimes: track,
        },
      ),
      track,
    ),
  }))
  const chunks = track.chunks.map((chunk) => chunkRow(row.id, chunk))
  for (let start = 0; start < chunks.length; start += CHUNKS_PER_INSERT) {
    await transaction
      .insertInto('chunks')
      .values(chunks.slice(start, start + CHUNKS_PER_INSERT))
      .execute()
  }
  return row
}

function importedRow(newRow: TrackRow, { totals, pointsCount, lastMs, chunks }: ReadTrack): TrackRow {
  return {
    ...newRow,
    given_stats: givenStatistics(totals, Object.keys(StatsCreate.properties)),
    point_count: pointsCount,
    last_point_ms: lastMs,
    loose_chunks: chunks.length,
  }
}

/** Adds the titles of the tracks to a remembered response. @throws gone if one of them has been deleted since */
async function completed({ tracks }: ApiDeps, scope: TrackScope, remembered: Remembered): Promise<TracksImported> {
  const complete: ImportedTrack[] = []
  for (const { track_id, ...counts } of remembered.tracks) {
    const row = await tracks.find(scope, track_id)
    if (row === undefined)
      throw gone({ detail: 'The request with this Idempotency-Key created what is deleted by now.' })
    const { device_track_id, title, activity_type } = row
    complete.push({ track_id, device_track_id, title, activity_type, ...counts })
  }
  return { tracks: complete, tracks_left_out: remembered.tracks_left_out }
}
