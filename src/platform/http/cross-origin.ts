import cors from '@fastify/cors'
import type { HttpServer } from './http-server.ts'

/** How long a browser may remember the answer to a preflight, in seconds; browsers cut it to two hours or less. */
const PREFLIGHT_LIFETIME_SEC = 7200

/**
 * Opens the routes of this scope to pages of any origin. It is safe because they look at no cookie: a page has to hold
 * a token to get anything.
 */
export async function allowCrossOrigin(app: HttpServer): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Encoding',
      'Content-Type',
      'Idempotency-Key',
      'X-API-Key',
      'X-Request-Id',
    ],
    exposedHeaders: [
      'Idempotency-Replayed',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: PREFLIGHT_LIFETIME_SEC,
    strictPreflight: false,
  })
}
