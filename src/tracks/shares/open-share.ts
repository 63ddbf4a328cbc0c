import { rateLimited } from '#platform/basics/errors.ts'
import type { Keys } from '#platform/basics/secrets.ts'
import { momentOrNull } from '#platform/basics/time.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import { addressGroup } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { countRequest, RateLimit } from '#platform/http/rate-limit.ts'
import type { ApiDeps } from '../api/deps.ts'
import type { PassEnd } from '../api/doors.ts'
import { shareEnded, shareNotFound } from '../model/errors.ts'
import { DEFAULT_NO_SIGNAL_AFTER_SEC } from '../model/event-rules.ts'
import type { DelayedTails, DelayedTracks } from './delayed-tracks.ts'
import type { SharedView } from './schemas.ts'
import { shownUntil } from './spectator-delay.ts'
import type { SharesStore, ShareWithEvent } from './store.ts'

/** Everything that routes and pages of shares are built from. */
export type ShareDeps = ApiDeps & {
  shares: SharesStore
  delayedTracks: DelayedTracks
  delayedTails: DelayedTails
  tokenKeys: Keys
  /** Returns the public address of the server, without a trailing slash. */
  baseUrl: () => string
}

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

/** Represents a share for spectators. `titleTimeZone` is the zone of events that have none of their own. */
export function sharedView(share: ShareWithEvent, titleTimeZone: string): SharedView {
  return {
    kind: share.track_id === null ? 'event' : 'track',
    title: share.track_title ?? share.event_name,
    event: {
      name: share.event_name,
      starts_on: share.starts_on,
      ends_on: share.ends_on,
      effective_time_zone: share.time_zone ?? titleTimeZone,
      no_signal_after_sec: share.no_signal_after_sec ?? DEFAULT_NO_SIGNAL_AFTER_SEC,
      spectator_delay_sec: share.spectator_delay_sec ?? 0,
    },
    track_id: share.track_id,
    expires_at: momentOrNull(share.expires_at),
  }
}

/**
 * Gives each client address a request allowance in this scope, and keeps what it reads out of caches. `name` tells the
 * allowances of several scopes apart.
 */
export function limitSpectators(app: HttpServer, { rateLimit, limitExchange }: ApiDeps, name: string): void {
  const shared = limitExchange?.share(name, rateLimit)
  const requests = rateLimit > 0 ? new RateLimit(rateLimit, { shared }) : undefined
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, problems: [rateLimited, ...(route.schema?.problems ?? [])] }
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeader('cache-control', 'no-store')
    // The address contains the secret token, so it must not reach other sites as a referrer.
    reply.raw.setHeader('referrer-policy', 'no-referrer')
    if (requests !== undefined) await countRequest(reply, requests, addressGroup(request.ip))
  })
}
