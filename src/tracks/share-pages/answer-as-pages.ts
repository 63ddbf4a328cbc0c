import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { toAppError } from '#platform/http/problems/problem.ts'
import { answerMalformedBelow } from '#platform/http/server/malformed-addresses.ts'
import type { MapPages } from '#platform/http/server/map-pages.ts'
import { pageLanguage } from './html/language.ts'
import { messagePage } from './html/message-page.ts'
import { pageHeaders } from './page-headers.ts'

type Deps = { mapPages: MapPages }

/** Answers failures in this scope and below /s/ with an HTML page instead of problem details. */
export function answerAsPages(app: HttpServer, { mapPages }: Deps) {
  const answer = async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toAppError(thrown)
    if (error.status >= 500)
      request.log.error({ err: error.cause ?? error, route: request.routeOptions.url }, 'page failed')
    const { embed, lang } = (request.query ?? {}) as { embed?: unknown; lang?: unknown }
    const nonce = randomBytes(16).toString('base64')
    const language = pageLanguage(lang, request.headers['accept-language'])
    return reply
      .code(error.status)
      .headers(error.options.headers ?? {})
      .headers(pageHeaders(await mapPages.forPage(), nonce, embed === undefined ? 'none' : 'any'))
      .header('cache-control', 'no-store')
      .send(messagePage({ status: error.status, language, nonce, requestId: request.id }))
  }
  app.setErrorHandler(answer)
  answerMalformedBelow(app, '/s/', answer)
}
