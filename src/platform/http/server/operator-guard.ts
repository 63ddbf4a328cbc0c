import type { HttpServer } from '../http-server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in operator. Set before any route of a guarded scope runs, empty elsewhere. */
    operatorId: string
  }
}

/**
 * Restricts a scope to signed-in operators: answers 401 without a session and 403 to a change that another site makes
 * the browser send, sets `request.operatorId`, forbids caching (`no-store`), and ends event streams when the session
 * ends. To be called once, in a scope of its own, before the routes and before `acceptJsonBodies`.
 */
export type OperatorGuard = (app: HttpServer) => void
