import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { toAppError } from '#platform/http/problems/problem.ts'
import { answerMalformedBelow } from '#platform/http/server/malformed-addresses.ts'
import type { Addresses } from '../domain/addresses.ts'
import { ASSETS_PATH, type Assets } from './assets.ts'
import { interfaceLanguage } from './html/language.ts'
import { messagePage } from './html/message-page.ts'
import { pageHeaders } from './page-headers.ts'

type Deps = { addresses: Addresses; pageAssets: Assets }

/** Answers failures in this scope and below /p/ with an HTML page instead of problem details. */
export function answerAsPages(app: HttpServer, { addresses, pageAssets }: Deps) {
  const answer = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toAppError(thrown)
    if (error.status >= 500)
      request.log.error({ err: error.cause ?? error, route: request.routeOptions.url }, 'page failed')
    const isEmbedded = request.routeOptions.url?.endsWith('/embed') === true
    const origins = { base: addresses.base(), public: addresses.public(), cdn: addresses.cdn() }
    return reply
      .code(error.status)
      .headers(error.options.headers ?? {})
      .headers(pageHeaders(origins, isEmbedded ? 'any' : 'none'))
      .header('cache-control', 'no-store')
      .send(
        messagePage(error.status, {
          language: interfaceLanguage(request.headers['accept-language']),
          styleAddress: styleAddress(request.url, pageAssets.style.name),
          requestId: request.id,
        }),
      )
  }
  app.setErrorHandler(answer)
  answerMalformedBelow(app, '/p/', answer)
}

/** Returns an address relative to the page, which works on any host and below any path. */
function styleAddress(url: string, name: string): string {
  const depth = url.split('?')[0].split('/').length - ASSETS_PATH.split('/').length
  return `${'../'.repeat(Math.max(depth, 0))}_/${name}`
}
