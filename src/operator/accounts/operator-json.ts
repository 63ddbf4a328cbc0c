import { formatDateTime } from '#platform/time/date-time.ts'
import type { OperatorList, SignInLink } from '../schemas.ts'
import type { OperatorRow } from '../storage/tables.ts'
import type { SignInLink as Link } from './operator-accounts.ts'

/** Represents an operator without secrets. */
export function operatorJson(operator: OperatorRow): OperatorList['operators'][number] {
  return {
    id: operator.id,
    name: operator.name,
    created_at: formatDateTime(operator.created_at),
    last_sign_in_at: operator.last_sign_in_at === null ? null : formatDateTime(operator.last_sign_in_at),
    has_password: operator.password_hash !== null,
  }
}

/** Represents a sign-in link with its full address. */
export function signInLinkJson({ path, expiresAtMs }: Link, baseUrl: string): SignInLink {
  return { url: `${baseUrl}${path}`, expires_at: formatDateTime(expiresAtMs) }
}
