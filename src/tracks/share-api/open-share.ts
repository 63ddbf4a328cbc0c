import { tokenHash } from '#platform/tokens/token.ts'
import { shownUntil } from '../domain/spectator-delay.ts'
import { shareEnded, shareNotFound } from '../errors.ts'
import type { PassEnd } from '../live/viewer.ts'
import type { SharesStore, ShareWithEvent } from '../storage/shares-store.ts'

export type ShareDeps = { shares: Pick<SharesStore, 'findByToken'>; now: () => number }

/** A valid share. Nothing later than `shownUntilMs` may leave the server; Infinity where the event has no delay. */
export type OpenShare = ShareWithEvent & { shownUntilMs: number }

/** Returns the share that a token opens. @throws shareNotFound, shareEnded */
export async function openShare({ shares, now }: ShareDeps, token: string): Promise<OpenShare> {
  const sha256 = tokenHash(token)
  const share = await shares.findByToken(sha256)
  if (share === undefined) throw shareNotFound({ refused: { kind: 'share', sha256 } })
  if (endOf(share, now()) !== undefined) throw shareEnded()
  return { ...share, shownUntilMs: shownUntil(share.spectator_delay_sec, now()) }
}

/** Returns why the stream of a share that was opened with a delay may not go on; undefined while it may. */
export async function shareEndedBy(
  { shares, now }: ShareDeps,
  token: string,
  delaySec: number,
): Promise<PassEnd | undefined> {
  const share = await shares.findByToken(tokenHash(token))
  if (share === undefined) return 'deleted'
  return endOf(share, now()) ?? ((share.spectator_delay_sec ?? 0) === delaySec ? undefined : 'changed')
}

function endOf({ revoked_at, expires_at, track_id, track_title }: ShareWithEvent, nowMs: number) {
  if (revoked_at !== null) return 'revoked' as const
  if (expires_at !== null && expires_at <= nowMs) return 'expired' as const
  return track_id !== null && track_title === null ? ('deleted' as const) : undefined
}
