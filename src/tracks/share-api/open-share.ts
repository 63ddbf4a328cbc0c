import { tokenHash } from '#platform/tokens/token.ts'
import { shareEnded, shareNotFound } from '../errors.ts'
import type { LiveEnded } from '../schemas/live.ts'
import type { SharesStore, ShareWithEvent } from '../storage/shares-store.ts'

export type ShareDeps = { shares: Pick<SharesStore, 'findByToken'>; now: () => number }

/** Returns the share that a token opens. @throws shareNotFound, shareEnded */
export async function openShare({ shares, now }: ShareDeps, token: string): Promise<ShareWithEvent> {
  const share = await shares.findByToken(tokenHash(token))
  if (share === undefined) throw shareNotFound()
  if (endOf(share, now()) !== undefined) throw shareEnded()
  return share
}

/** Returns why a share has ended; undefined while it is valid. */
export async function shareEndedBy(
  { shares, now }: ShareDeps,
  token: string,
): Promise<LiveEnded['reason'] | undefined> {
  const share = await shares.findByToken(tokenHash(token))
  return share === undefined ? 'deleted' : endOf(share, now())
}

function endOf({ revoked_at, expires_at, track_id, track_title }: ShareWithEvent, nowMs: number) {
  if (revoked_at !== null) return 'revoked' as const
  if (expires_at !== null && expires_at <= nowMs) return 'expired' as const
  return track_id !== null && track_title === null ? ('deleted' as const) : undefined
}
