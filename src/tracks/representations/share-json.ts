import type { Keys } from '#platform/security/secret.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { maskToken } from '#platform/tokens/owned-tokens.ts'
import { openToken } from '#platform/tokens/token.ts'
import type { Share } from '../schemas/shares.ts'
import type { TitledShare } from '../storage/shares-store.ts'
import { momentOrNull } from './event-json.ts'

export type ShareJsonDeps = {
  tokenKeys: Keys
  /** Returns the public address of the server, without a trailing slash. */
  baseUrl: () => string
}

/**
 * Represents a share for operators. The server renders its page, so the token is in the path: logs name routes instead
 * of addresses, and the page has a referrer policy that keeps it to itself.
 */
export function shareJson(row: TitledShare, { tokenKeys, baseUrl }: ShareJsonDeps): Share {
  const token = openToken(row.sealed, tokenKeys)
  return {
    id: row.id,
    track_id: row.track_id,
    track_title: row.track_title,
    label: row.label,
    masked: token === undefined ? null : maskToken(token),
    url: token === undefined ? null : `${baseUrl()}/s/${token}`,
    created_at: formatDateTime(row.created_at),
    expires_at: momentOrNull(row.expires_at),
    revoked_at: momentOrNull(row.revoked_at),
  }
}
