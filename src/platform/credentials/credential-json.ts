import { formatDateTime, momentOrNull } from '../basics/time.ts'
import { type CredentialRow, credentialId, type OwnColumns, parsePermissions } from './credentials-store.ts'
import { maskToken } from './token.ts'

/**
 * Represents a credential without its text.
 * @param text its text, of which the mask is made; undefined if it cannot be read
 */
export function credentialJson<Own extends OwnColumns, Permission extends string>(
  row: CredentialRow<Own>,
  text: string | undefined,
  known: readonly Permission[],
) {
  return {
    id: credentialId(row),
    label: row.label,
    masked: text === undefined ? null : maskToken(text),
    permissions: [...parsePermissions(row.permissions, known)],
    is_first: row.is_first === 1,
    created_at: formatDateTime(row.created_at),
    expires_at: momentOrNull(row.expires_at),
    last_used_at: momentOrNull(row.last_used_at),
  }
}
