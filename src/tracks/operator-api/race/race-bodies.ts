import type { FastifyRequest } from 'fastify'
import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import { readRequestBody } from '#platform/http/bodies/request-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { MAX_COURSE_BYTES } from '../../timing/course-reader.ts'

/** Largest start list, decoded: 20,000 runners with long names. */
const MAX_LIST_BYTES = 4 * 1_048_576

/** Types of a course. Browsers and tools know few of them, so a file may also come without one of its own. */
export const COURSE_TYPES = ['application/gpx+xml', 'application/xml', 'text/xml', 'application/octet-stream']
const CSV_TYPE = 'text/csv'

/** Makes the routes of this scope accept JSON, courses and start lists; the latter two as bytes. */
export function acceptRaceBodies(app: HttpServer, budget: BodyBudget): void {
  acceptJsonBodies(app, { limitBytes: MAX_LIST_BYTES, budget })
  app.addContentTypeParser(COURSE_TYPES, (request: FastifyRequest) =>
    readRequestBody(request, MAX_COURSE_BYTES, budget),
  )
  app.addContentTypeParser(CSV_TYPE, (request: FastifyRequest) => readRequestBody(request, MAX_LIST_BYTES, budget))
}
