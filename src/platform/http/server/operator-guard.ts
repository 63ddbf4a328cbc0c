import type { HttpServer } from '../http-server.ts'
import type { OperatorAccess } from '../operators/operator-access.ts'
import type { OperatorEffect } from '../operators/operator-effect.ts'
import type { GuardedThing } from '../operators/operator-rule.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in operator. Set before any route of a guarded scope runs, empty elsewhere. */
    operatorId: string
    /** The rights of the signed-in operator. Set before any route of a guarded scope runs. */
    operatorAccess: OperatorAccess
    /**
     * Holds a request to an effect that depends on what it asks for, before it has that effect. The rule of the route
     * names the effect in `also`. An export is recorded in the audit log, even if it only reads.
     * @throws confirmationRequired
     */
    demandEffect(effect: OperatorEffect): Promise<void>
  }
}

/**
 * Restricts a scope to signed-in operators: answers 401 without a session and 403 to a change that another site makes
 * the browser send, sets `request.operatorId` and `request.operatorAccess`, forbids caching (`no-store`), and ends
 * event streams when the session or the right to them ends. Each route of the scope declares in `config.operator`
 * what it demands; `things` are those that its addresses name. To be called once, in a scope of its own, before
 * the routes and before `acceptJsonBodies`.
 */
export type OperatorGuard = (app: HttpServer, things?: readonly GuardedThing[]) => void
