import { OPERATOR_ROLES, type OperatorRole } from '#platform/http/operators/operator-access.ts'

type Claims = Readonly<Record<string, unknown>>

/**
 * Returns the groups in a claim: a list, or one text. The name is that of a claim, or a path into one, such as
 * `realm_access.roles`. Undefined if there is no such claim.
 */
export function readGroups(claims: Claims, name: string): string[] | undefined {
  const found = name in claims ? claims[name] : followPath(claims, name.split('.'))
  if (typeof found === 'string') return [found]
  return Array.isArray(found) ? found.filter((group) => typeof group === 'string') : undefined
}

function followPath(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return undefined
  return followPath((value as Claims)[first], rest)
}

/** Returns the greatest role of these groups; undefined if none has one. */
export function roleOfGroups(
  groups: readonly string[],
  roles: ReadonlyMap<string, OperatorRole>,
): OperatorRole | undefined {
  const given = groups.map((group) => roles.get(group))
  return OPERATOR_ROLES.findLast((role) => given.includes(role))
}
