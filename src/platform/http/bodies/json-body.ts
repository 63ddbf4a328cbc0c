import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '../http-server.ts'
import { parseJson } from '../json/parse-json.ts'
import type { JsonLimits } from '../json/parse-json-limits.ts'
import type { BodyBudget } from './body-budget.ts'
import { readRequestBody } from './request-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route receives the body as bytes and parses the JSON itself; they may be more than other routes accept. */
    rawJson?: { limitBytes: number }
  }
  interface FastifyRequest {
    /** The decoded bytes of the body; undefined without a body. */
    bodyBytes?: Buffer
  }
}

type JsonBodies = { limitBytes: number; limits?: JsonLimits; budget: BodyBudget; alsoAsText?: boolean }

/**
 * Makes the routes of this scope accept JSON bodies of at most `limitBytes` decoded, and no other type. With
 * `alsoAsText`, JSON with the type of plain text is accepted, too, which `navigator.sendBeacon` sends.
 */
export function acceptJsonBodies(
  app: HttpServer,
  { limitBytes, limits, budget, alsoAsText = false }: JsonBodies,
): void {
  // Some clients send a type without a body.
  app.addHook('onRequest', (request, _reply, done) => {
    if (isWithoutBody(request.raw.headers)) delete request.raw.headers['content-type']
    done()
  })
  app.removeAllContentTypeParsers()
  app.decorateRequest('bodyBytes', undefined)
  const types = alsoAsText ? ['application/json', 'text/plain'] : ['application/json']
  app.addContentTypeParser(types, async (request: FastifyRequest) => {
    const { rawJson } = request.routeOptions.config
    const bytes = await readRequestBody(request, rawJson?.limitBytes ?? limitBytes, budget)
    request.bodyBytes = bytes
    if (bytes.length === 0) return undefined
    return rawJson === undefined ? parseJson(bytes, limits) : bytes
  })
}

function isWithoutBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}
