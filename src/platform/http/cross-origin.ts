import { type HttpServer, SERVICE_HEADER } from './http-server.ts'

/** Time for which a browser may cache a preflight. Browsers reduce it to two hours or less. */
const PREFLIGHT_LIFETIME_SEC = 7200

/** Headers of one scope beyond the headers of every open route. */
type FurtherHeaders = {
  /** Headers that a page may send. */
  allowed: readonly string[]
  /** Headers of answers that a page may read. */
  exposed: readonly string[]
  /** Headers of the answer to OPTIONS. */
  answer: Record<string, string>
}

const EXPOSED_HEADERS = [
  'Content-Disposition',
  'Idempotency-Replayed',
  'Preference-Applied',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  SERVICE_HEADER.name,
  'X-Request-Id',
]

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  'Idempotency-Key',
  'Prefer',
  'X-API-Key',
  'X-Request-Id',
]

const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': String(PREFLIGHT_LIFETIME_SEC),
}

/**
 * Opens the routes of `scope` to pages of any origin. This is safe because they ignore cookies: a page needs a token.
 * Preflights carry no token, so `server` answers them, outside the checks of the scope, and only for addresses of the
 * scope. A plugin that answers preflights for every address would not allow two open services on one server, or a
 * closed one.
 */
export function allowCrossOrigin(scope: HttpServer, server: HttpServer, further?: FurtherHeaders): void {
  const preflight = {
    ...PREFLIGHT_HEADERS,
    'access-control-allow-headers': [...ALLOWED_HEADERS, ...(further?.allowed ?? [])].join(', '),
    ...further?.answer,
  }
  const exposed = [...EXPOSED_HEADERS, ...(further?.exposed ?? [])].join(', ')
  scope.addHook('onRoute', ({ url }) => {
    // Another method of the address, perhaps in another scope, may have opened it already.
    if (server.hasRoute({ method: 'OPTIONS', url })) return
    server.options(url, { schema: { hide: true } }, (_request, reply) => reply.code(204).headers(preflight).send())
  })
  scope.addHook('onRequest', (_request, { raw }, done) => {
    raw.setHeader('access-control-allow-origin', '*')
    raw.setHeader('access-control-expose-headers', exposed)
    done()
  })
}
