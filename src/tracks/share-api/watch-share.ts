import Type from 'typebox'
import { unavailable } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { EventStream } from '#platform/http/streams/event-stream.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { shareEnded, shareNotFound } from '../errors.ts'
import type { EventWatches } from '../live/event-watches.ts'
import { LIFETIME_MS, openLiveStream } from '../live/open-live-stream.ts'
import { sharedTrack } from '../representations/track-summary.ts'
import { SharedParams } from '../schemas/addresses.ts'
import { LiveQuery } from '../schemas/live.ts'
import type { ShareWithEvent } from '../storage/shares-store.ts'
import type { RaceBoards } from '../timing/race-boards.ts'
import { openShare, type ShareDeps, shareEndedBy } from './open-share.ts'

type Deps = ShareDeps & {
  watches: Pick<EventWatches, 'join' | 'check'>
  raceBoards: Pick<RaceBoards, 'watch'>
}

/** GET /shares/:token/live */
export function watchShare(app: HttpServer, deps: Deps) {
  app.get(
    '/shares/:token/live',
    {
      schema: {
        operationId: 'watchShare',
        summary: 'Watch a share',
        description:
          'Streams server-sent events: `track`, `points`, `track-deleted`, `ready` after the snapshot, `as-of` every few seconds, `ranking` where the event has a race (with `read_again`, read the whole ranking; else the entries that changed), and `ended` when the share has ended. With `Last-Event-ID` the snapshot has what changed since then; with a delay for spectators it is always whole. The `ready` of a whole snapshot has `tracks_left_out`: tracks that it does not have are gone.',
        tags: ['Shared'],
        params: SharedParams,
        querystring: LiveQuery,
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'A stream of events.' }) },
        problems: [shareNotFound, shareEnded, unavailable],
      },
    },
    async (request, reply) => {
      const { token } = request.params
      const share = await openShare(deps, token)
      const { stream, sinceMs } = openLiveStream(request, reply, share.id)
      whenExpired(deps, share, stream, () => deps.watches.check(share.event_id))
      const delaySec = share.spectator_delay_sec ?? 0
      const viewer = {
        stream,
        // With a delay, what has changed since a time would tell who goes on.
        sinceMs: delaySec > 0 ? undefined : sinceMs,
        trackId: share.track_id ?? undefined,
        show: sharedTrack,
        pass: { key: tokenHash(token), endedBy: () => shareEndedBy(deps, token, delaySec) },
      }
      deps.watches.join(share.event_id, viewer, delaySec)
      deps.raceBoards.watch(share.event_id, { stream, trackId: viewer.trackId, delaySec })
    },
  )
}

/** Calls back when a share expires while one of its streams is open. */
function whenExpired({ now }: Deps, share: ShareWithEvent, stream: EventStream, expired: () => void): void {
  const leftMs = (share.expires_at ?? Number.POSITIVE_INFINITY) - now()
  if (leftMs > LIFETIME_MS) return
  // A timer may be a moment early.
  const timer = setTimeout(expired, leftMs + 10).unref()
  stream.closed.addEventListener('abort', () => clearTimeout(timer))
}
