import type { FastifyRequest } from 'fastify'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import { rateLimited } from '#platform/basics/errors.ts'
import type { Keys } from '#platform/basics/secrets.ts'
import { momentOrNull } from '#platform/basics/time.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import { addressGroup } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { countRequest, RateLimit } from '#platform/http/rate-limit.ts'
import type { ApiDeps } from '../api/deps.ts'
import type { EventDoor, OpenedEvent, PassEnd, TrackViewDoor } from '../api/doors.ts'
import { shareEnded, shareNotFound, trackNotFound } from '../model/errors.ts'
import { DEFAULT_NO_SIGNAL_AFTER_SEC } from '../model/event-rules.ts'
import { SharedParams, SharedTrackParams } from '../model/schema-fields.ts'
import { wholeEvent } from '../model/track-rows.ts'
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
async function shareEndedBy({ shares, now }: ShareDeps, token: string, delaySec: number): Promise<PassEnd | undefined> {
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

/** Creates the doors for spectators, which a share link opens. They show nothing later than the event's delay. */
export function shareDoors(deps: ShareDeps): { event: EventDoor; track: TrackViewDoor } {
  const callerOf = ({ ip }: FastifyRequest) => addressGroup(ip)
  return {
    event: {
      audience: 'spectator',
      path: '/shares/:token',
      schema: { params: SharedParams },
      callerOf,
      async open({ params }) {
        const { token } = params as { token: string }
        const share = await openShare(deps, token)
        const delaySec = share.spectator_delay_sec ?? 0
        return {
          id: share.event_id,
          name: share.event_name,
          trackId: share.track_id ?? undefined,
          delaySec,
          shownUntilMs: share.shownUntilMs,
          subject: share.id,
          pass: {
            key: tokenHash(token),
            expiresAtMs: share.expires_at,
            endedBy: () => shareEndedBy(deps, token, delaySec),
          },
        }
      },
    },
    track: {
      audience: 'spectator',
      path: '/shares/:token/tracks/:id',
      schema: { params: SharedTrackParams },
      callerOf,
      async open({ params }) {
        const { token, id } = params as { token: string; id: string }
        const share = await openShare(deps, token)
        if (share.track_id !== null && share.track_id !== id) throw trackNotFound()
        const stored = await deps.tracks.get(wholeEvent(share.event_id), id)
        const [row] = await deps.delayedTracks([stored], share.shownUntilMs)
        if (row === undefined) throw trackNotFound()
        return row
      },
    },
  }
}

/** Time for which an opened share is remembered. Another instance may have revoked it meanwhile. */
const REMEMBERED_MS = 1000
/** Most shares that are remembered, a kilobyte each. */
const MAX_REMEMBERED = 10_000

/**
 * Returns the door to an event for what each spectator asks for every second: an opened share is remembered for a
 * second, and not once anybody may have lost access on this instance. An end that passes meanwhile counts at once.
 */
export function rememberingDoor(door: EventDoor, { watches, now }: ShareDeps): EventDoor {
  type Remembered = { opened: Promise<OpenedEvent>; checks: number; endMs: number }
  const remembered = boundedCache<Remembered>(MAX_REMEMBERED, REMEMBERED_MS)

  function remember(token: string, opened: Promise<OpenedEvent>): Promise<OpenedEvent> {
    const entry = { opened, checks: watches.checks, endMs: Number.POSITIVE_INFINITY }
    remembered.set(token, entry)
    opened.then(
      ({ pass }) => {
        entry.endMs = pass?.expiresAtMs ?? Number.POSITIVE_INFINITY
      },
      () => remembered.peek(token) === entry && remembered.delete(token),
    )
    return opened
  }

  return {
    ...door,
    open(request) {
      const { token } = request.params as { token: string }
      const known = remembered.get(token)
      if (known !== undefined && known.checks === watches.checks && now() < known.endMs) return known.opened
      return remember(token, door.open(request))
    },
  }
}
