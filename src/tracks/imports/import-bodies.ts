import type { FastifyRequest } from 'fastify'
import { unsupportedMediaType } from '#platform/errors.ts'
import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import { readRequestBody } from '#platform/http/bodies/request-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { RECORDING_TYPES, type RecordingFormat } from './formats/recording-types.ts'
import { MAX_FILE_BYTES } from './recordings/recorded-track.ts'

const UNTYPED = 'application/octet-stream'

/** Types of the files that can be imported; the last one leaves it to the content. */
export const IMPORT_TYPES: readonly string[] = [...Object.values(RECORDING_TYPES), UNTYPED]

/** Makes the routes of this scope accept recordings as bytes, and no other type. */
export function acceptImportBodies(app: HttpServer, budget: BodyBudget): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...IMPORT_TYPES], async (request: FastifyRequest) => {
    request.bodyBytes = await readRequestBody(request, MAX_FILE_BYTES, budget)
    return request.bodyBytes
  })
}

/** Returns the file of a request, and the format that its type states. @throws unsupportedMediaType without a file */
export function sentFile({ body, headers }: FastifyRequest): { bytes: Buffer; format: RecordingFormat | undefined } {
  if (!Buffer.isBuffer(body)) {
    throw unsupportedMediaType({ detail: `The body must be a file, as one of ${IMPORT_TYPES.join(', ')}.` })
  }
  const type = headers['content-type']?.split(';')[0].trim().toLowerCase()
  const format = Object.entries(RECORDING_TYPES).find(([, value]) => value === type)?.[0]
  return { bytes: body, format: format as RecordingFormat | undefined }
}
