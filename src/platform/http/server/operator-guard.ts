import type { HttpServer } from '../http-server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator who is signed in; set before any route of a guarded scope runs, empty elsewhere. */
    operatorId: string
  }
}

/**
 * Keeps a scope for signed-in operators: adds the hooks that answer 401 without a session and 403 to a change that
 * another site makes the browser send, sets `request.operatorId`, forbids keeping the answers (`no-store`), and ends streams
 * of events when the session ends. It is called once, in a scope of its own, before the routes and before `acceptJsonBodies`.
 */
export type OperatorGuard = (app: HttpServer) => void
