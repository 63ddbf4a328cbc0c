import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '../http-server.ts'
import { parseJson } from '../json/parse-json.ts'
import { type BodyBudget, readRequestBody } from './request-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes the body as bytes and reads the JSON itself. */
    rawJson?: boolean
  }
  interface FastifyRequest {
    /** The decoded bytes of the body, exactly as the client meant them; undefined without a body. */
    bodyBytes?: Buffer
  }
}

/**
 * Makes the routes of this scope take JSON bodies of at most `limitBytes` decoded, and no other type; with `alsoAsText`
 * JSON that is called plain text, too, which is what browsers call it where a page sends it as it is left.
 */
export function acceptJsonBodies(
  app: HttpServer,
  { limitBytes, budget, alsoAsText = false }: { limitBytes: number; budget: BodyBudget; alsoAsText?: boolean },
): void {
  // Clients name a type also where they send no body, and then it is the type of nothing.
  app.addHook('onRequest', (request, _reply, done) => {
    if (isWithoutBody(request.raw.headers)) delete request.raw.headers['content-type']
    done()
  })
  app.removeAllContentTypeParsers()
  app.decorateRequest('bodyBytes', undefined)
  const types = alsoAsText ? ['application/json', 'text/plain'] : ['application/json']
  app.addContentTypeParser(types, async (request: FastifyRequest) => {
    const bytes = await readRequestBody(request.raw, limitBytes, budget)
    request.bodyBytes = bytes
    if (bytes.length === 0) return undefined
    return request.routeOptions.config.rawJson === true ? bytes : parseJson(bytes)
  })
}

function isWithoutBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}
