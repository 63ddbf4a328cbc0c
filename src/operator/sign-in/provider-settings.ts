import { ConfigError, type Settings } from '#platform/basics/config.ts'
import { OPERATOR_ROLES, type OperatorRole } from '#platform/credentials/operator-access.ts'
import type { operatorConfig } from '../model/config.ts'
import { NO_PROVIDER, type ProviderAccounts } from '../model/provider-accounts.ts'

/** An OpenID Connect provider through which operators sign in. */
export type ProviderSettings = {
  issuer: string
  clientId: string
  /** Empty for a public client. */
  clientSecret: string
  scopes: string
  groupsClaim: string
  /** Roles by group. */
  roles: ReadonlyMap<string, OperatorRole>
  /** Reach of new accounts that are not owners. */
  newAccountsReach: 'everything' | 'nothing'
  /** True if these accounts may also have passwords and passkeys here. */
  hasLocalCredentials: boolean
  /** Text of the button; empty for the default of the dashboard. */
  button: string
}

/** Returns the provider of the settings; undefined without one. @throws ConfigError if a setting is missing */
export function providerSettings(config: Settings<typeof operatorConfig>): ProviderSettings | undefined {
  if (config.oidcIssuer === '') return undefined
  const problems = [
    ...(config.oidcClientId === '' ? ['OIDC_CLIENT_ID must be set with OIDC_ISSUER.'] : []),
    ...(config.oidcRoles.size === 0
      ? ['OIDC_ROLES must be set with OIDC_ISSUER: without it, nobody may sign in.']
      : []),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    issuer: config.oidcIssuer,
    clientId: config.oidcClientId,
    clientSecret: config.oidcClientSecret,
    scopes: config.oidcScopes,
    groupsClaim: config.oidcGroupsClaim,
    roles: config.oidcRoles,
    newAccountsReach: config.oidcNewAccountsReach,
    hasLocalCredentials: config.oidcLocalCredentials,
    button: config.oidcButton,
  }
}

/** Returns which accounts belong to the provider. */
export function providerAccounts(config: Settings<typeof operatorConfig>): ProviderAccounts {
  if (config.oidcIssuer === '') return NO_PROVIDER
  // Providers and settings may differ in the slash at the end.
  const bare = config.oidcIssuer.replace(/\/$/, '')
  const issuers = [bare, `${bare}/`]
  return { issuers, issuersWithoutCredentials: config.oidcLocalCredentials ? [] : issuers }
}

type Claims = Readonly<Record<string, unknown>>

/**
 * Returns the groups in a claim: a list, or one text. The name is a claim, or a path into one, such as
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
