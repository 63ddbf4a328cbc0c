import assert from 'node:assert/strict'
import type { RouteOptions } from 'fastify'
import type { ErrorDefinition } from '../../errors.ts'
import type { OperatorAccess, OperatorRole } from './operator-access.ts'
import type { OperatorEffect } from './operator-effect.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rule of a route for operators. A route in a guarded scope that has none stops the start. */
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

/** A kind of thing in events or workspaces, and the address of one. */
export type GuardedThing = {
  /** Address with the id of a thing, such as `/operator/tracks/:id`. All routes below it are guarded alike. */
  readonly address: `/${string}/:id`
  /** Returns the id of the event or workspace that the thing is, or is in; undefined if there is no such thing. */
  containerOf(id: string): string | undefined | Promise<string | undefined>
  /** The error for a thing that does not exist, or is out of the operator's reach. */
  readonly notFound: ErrorDefinition
}

/** A route with its rule, and the thing that its address names. */
export type GuardedRoute = { rule: OperatorRule; thing: GuardedThing | undefined }

/**
 * Finds the rule of a route, and the thing that its address names.
 * @throws AssertionError if the route declares no rule, or if its address names a thing of an unknown kind
 */
export function guardedRoute({ method, url, config }: RouteOptions, things: readonly GuardedThing[]): GuardedRoute {
  const rule = config?.operator
  assert(rule !== undefined, `${method} ${url} declares no rule for operators`)
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
  params: { id?: string },
): Promise<void> {
  if (thing !== undefined && access.reach !== 'everything') {
    const container = await thing.containerOf(params.id ?? '')
    if (container === undefined || !access.mayRead(container)) throw thing.notFound()
  }
  access.require(rule.role, rule.reach)
}
