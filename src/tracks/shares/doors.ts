import type { FastifyRequest } from 'fastify'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import { addressGroup } from '#platform/http/client.ts'
import type { EventDoor, OpenedEvent, TrackViewDoor } from '../api/doors.ts'
import { trackNotFound } from '../model/errors.ts'
import { SharedParams, SharedTrackParams } from '../model/schema-fields.ts'
import { wholeEvent } from '../model/track-rows.ts'
import { openShare, type ShareDeps, shareEndedBy } from './open-share.ts'

/** Creates the doors for spectators, which a share link opens. They show nothing later than the event's delay. */
export function shareDoors(deps: ShareDeps): { event: EventDoor; track: TrackViewDoor } {
  const callerOf = ({ ip }: FastifyRequest) => addressGroup(ip)
  return {
    event: {
      audience: 'spectator',
      path: '/shares/:token',
      schema: { tags: ['Shared'], params: SharedParams },
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
      schema: { tags: ['Shared'], params: SharedTrackParams },
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
