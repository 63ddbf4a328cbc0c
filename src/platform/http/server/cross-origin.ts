import type { HttpServer } from '../http-server.ts'

/** How long a browser may remember the answer to a preflight, in seconds; browsers cut it to two hours or less. */
const PREFLIGHT_LIFETIME_SEC = 7200

const EXPOSED_HEADERS = [
  'Idempotency-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
].join(', ')

const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': [
    'Authorization',
    'Content-Encoding',
    'Content-Type',
    'Idempotency-Key',
    'X-API-Key',
    'X-Request-Id',
  ].join(', '),
  'access-control-max-age': String(PREFLIGHT_LIFETIME_SEC),
}

/**
 * Opens the routes of `scope` to pages of any origin. It is safe because they look at no cookie: a page has to hold a
 * token to get anything. Preflights carry no token, so they are answered by `server`, outside of whatever the scope
 * demands of a request, and only for addresses of the scope: with a plugin that answers them for every address, two
 * services could not be open beside each other, nor anything else be closed.
 */
export function allowCrossOrigin(scope: HttpServer, server: HttpServer): void {
  scope.addHook('onRoute', ({ url }) => {
    // Another method of the address may have opened it already, also from another scope.
    if (server.hasRoute({ method: 'OPTIONS', url })) return
    server.options(url, { schema: { hide: true } }, (_request, reply) =>
      reply.code(204).headers(PREFLIGHT_HEADERS).send(),
    )
  })
  scope.addHook('onRequest', (_request, { raw }, done) => {
    raw.setHeader('access-control-allow-origin', '*')
    raw.setHeader('access-control-expose-headers', EXPOSED_HEADERS)
    done()
  })
}
