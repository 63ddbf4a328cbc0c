import { formatDateTime } from '#platform/time/date-time.ts'
import type { Operator as OperatorAnswer, SignInLink } from '../schemas.ts'
import { rightsJson } from '../sessions/rights-json.ts'
import type { Operator } from '../storage/operators-store.ts'
import type { SignInLink as Link } from './operator-accounts.ts'

/** Represents an operator without secrets. */
export function operatorJson(operator: Operator, hasSecondFactor: boolean): OperatorAnswer {
  return {
    id: operator.id,
    name: operator.name,
    created_at: formatDateTime(operator.created_at),
    last_sign_in_at: operator.last_sign_in_at === null ? null : formatDateTime(operator.last_sign_in_at),
    may_have_credentials: operator.mayHaveCredentials,
    has_password: operator.password_hash !== null,
    ...rightsJson(operator.rights),
    has_second_factor: hasSecondFactor,
    suspended_at: operator.suspended_at === null ? null : formatDateTime(operator.suspended_at),
  }
}

/** Represents a sign-in link with its full address. */
export function signInLinkJson({ path, expiresAtMs }: Link, baseUrl: string): SignInLink {
  return { url: `${baseUrl}${path}`, expires_at: formatDateTime(expiresAtMs) }
}
