import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import type { ErrorDefinition } from '../../errors.ts'
import type { HttpServer } from '../http-server.ts'

type Options<Permission extends string> = {
  /** The permissions that the tokens of this scope can have. */
  known: readonly Permission[]
  /** Returns the permissions of the request's token. */
  permissionsOf(request: FastifyRequest): readonly Permission[]
  /** The error of a token without the permission. Its `detail` names it. */
  denied: ErrorDefinition
}

/**
 * Requires of the token the `permission` that the schema of each route in this scope names. It is checked
 * as soon as the token is known, before the body is read and before anything is looked up, so that a
 * refused request learns nothing. Call it after the hook that reads the token. A route that names no
 * permission is a mistake, and stops the start.
 */
export function requirePermissions<Permission extends string>(
  app: HttpServer,
  { known, permissionsOf, denied }: Options<Permission>,
): void {
  app.addHook('onRoute', (route) => {
    const { permission } = route.schema ?? {}
    assert(isKnown(permission, known), `${route.method} ${route.url} names no permission`)
    const detail = permissionDetail(permission)
    route.schema = {
      ...route.schema,
      problems: [{ ...describe(denied), message: detail }, ...(route.schema?.problems ?? [])],
    }
    const others = route.onRequest ?? []
    route.onRequest = [
      (request, _reply, done) => done(permissionsOf(request).includes(permission) ? undefined : denied({ detail })),
      ...(Array.isArray(others) ? others : [others]),
    ]
  })
}

/** The sentence by which a refused client learns which permission to ask for. */
export function permissionDetail(permission: string): string {
  return `The token does not have the permission ${permission}.`
}

function isKnown<Permission extends string>(
  permission: string | undefined,
  known: readonly Permission[],
): permission is Permission {
  return known.some((one) => one === permission)
}

function describe({ code, status, message }: ErrorDefinition) {
  return { code, status, message }
}
