import type { FastifyRequest, FastifySchema } from 'fastify'
import { invalidFields, unprocessable, unsupportedMediaType } from '#platform/basics/errors.ts'
import type { IdempotentRequest } from '#platform/database/idempotency.ts'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import { disconnectSignal } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { sendIdempotent } from '#platform/http/idempotency-key.ts'
import { readRequestBody } from '#platform/http/request-body.ts'
import { foreignUserErrors, trackCreationKey } from '../api/create-track.ts'
import type { ApiDeps } from '../api/deps.ts'
import { deviceTrackIdTaken, eventNotFound, pointsQuotaReached, tracksQuotaReached } from '../model/errors.ts'
import { EventParams } from '../model/schema-fields.ts'
import { type TrackScope, wholeEvent } from '../model/track-rows.ts'
import type { ImportReader } from './import-reader.ts'
import { MAX_FILE_BYTES, RECORDING_TYPES, type RecordingFormat } from './recorded-track.ts'
import { ImportQuery, RecordingFile, TracksImported } from './schemas.ts'
import { storeImport } from './store-import.ts'

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
    tags: ['Operator'],
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
