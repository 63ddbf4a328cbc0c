import type { Share } from '../../api/shares.ts'

/** Returns the state of a share link. */
export function shareState(share: Share, nowMs: number): 'open' | 'expired' | 'revoked' {
  if (share.revoked_at !== null) return 'revoked'
  return share.expires_at !== null && Date.parse(share.expires_at) <= nowMs ? 'expired' : 'open'
}
