import assert from 'node:assert/strict'
import type { FastifyRequest, RouteOptions } from 'fastify'
import type { ErrorDefinition } from '../basics/errors.ts'
import type { HttpServer } from '../http/http-server.ts'
import type { OperatorAccess, OperatorEffect, OperatorRole } from './operator-access.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rule of a route for operators, which the guard takes from the rules of access. */
    operator?: OperatorRule
  }
}

/** The rights that a route demands of an operator, and its effects, some of which demand a recent confirmation. */
export type OperatorRule = {
  /** The lowest role that may use the route. */
  readonly role: OperatorRole
  /**
   * Set if an operator whose reach is limited may not use the route, because it is about no single event or workspace.
   */
  readonly reach?: 'everything'
  /** The effect of every request. */
  readonly effect: OperatorEffect
  /** Effects of some requests, which the handler demands by `request.demandEffect` once it knows. */
  readonly also?: readonly OperatorEffect[]
  /** Set if an operator may use the route who still has to set up a second factor. */
  readonly withoutSecondFactor?: true
}

/** Rules by resource, and by the operationId of each route for operators. */
export type AccessRules = Readonly<Record<string, Readonly<Record<string, OperatorRule>>>>

/** A kind of thing in events or workspaces, and the address of one. */
export type ProtectedResource = {
  /** Address with the id of a thing, such as `/operator/tracks/:id`. All routes below it are guarded alike. */
  readonly address: `/${string}/:id`
  /**
   * Returns the id of the event or workspace that the thing is, or is in; undefined if there is no such thing. It may
   * keep what it reads for the handler of the request.
   */
  ownerOf(id: string, request: FastifyRequest): string | undefined | Promise<string | undefined>
  /** The error for a thing that does not exist, or is out of the operator's reach. */
  readonly notFound: ErrorDefinition
}

/** A route with its rule, and the thing that its address names. */
export type GuardedRoute = { rule: OperatorRule; thing: ProtectedResource | undefined }

/**
 * Finds the rule of a route, and the thing that its address names.
 * @throws AssertionError if the route has no rule, or if its address names a thing of an unknown kind
 */
export function guardedRoute(
  { method, url, schema }: RouteOptions,
  rules: AccessRules,
  things: readonly ProtectedResource[],
): GuardedRoute {
  const operationId = schema?.operationId ?? ''
  const rule = Object.values(rules).find((resource) => Object.hasOwn(resource, operationId))?.[operationId]
  assert(rule !== undefined, `${method} ${url} has no rule of access for operators`)
  const thing = things.find(({ address }) => url === address || url.startsWith(`${address}/`))
  assert(
    thing !== undefined || things.length === 0 || !url.includes('/:'),
    `${method} ${url} names a thing of an unknown kind`,
  )
  return { rule, thing }
}

/**
 * Refuses an operator who may not use a route. A thing out of reach is answered before the role, so
 * that a refusal does not tell that it exists.
 * @throws the error of a thing that does not exist; insufficientRole
 */
export async function requireAccess(
  access: OperatorAccess,
  { rule, thing }: GuardedRoute,
  request: FastifyRequest,
): Promise<void> {
  if (thing !== undefined && access.reach !== 'everything') {
    const { id = '' } = request.params as { id?: string }
    const container = await thing.ownerOf(id, request)
    if (container === undefined || !access.mayRead(container)) throw thing.notFound()
  }
  access.require(rule.role, rule.reach)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in operator. Set before any route of a guarded scope runs, empty elsewhere. */
    operatorId: string
    /** The name of the signed-in operator. */
    operatorName: string
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
 * event streams when the session or the right to them ends. `rules` says what each route of the scope demands, and
 * `things` are named by its addresses. A route without a rule stops the start. To be called once, in a scope of its
 * own, before the routes and before `acceptJsonBodies`.
 */
export type OperatorGuard = (app: HttpServer, rules: AccessRules, things?: readonly ProtectedResource[]) => void

/** Names the operation for operators: `createWebhook` becomes `operatorCreateWebhook`. */
export function operatorOperation(name: string): string {
  return `operator${name[0].toUpperCase()}${name.slice(1)}`
}
