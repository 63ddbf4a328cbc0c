import { unavailable } from '#platform/errors.ts'
import { streamed } from '#platform/http/answer-schemas.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import { acceptedEncoding, sendJsonBytes } from '#platform/http/encoded-bytes.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import type { Replays } from '../computing/replays.ts'
import { shareEnded, shareNotFound } from '../errors.ts'
import { SharedParams } from '../schemas/addresses.ts'
import { EventReplay } from '../schemas/replay.ts'
import { openShare, type ShareDeps } from './open-share.ts'

type Deps = ShareDeps & { replays: Replays }

/** GET /shares/:token/replay */
export function getSharedReplay(app: HttpServer, deps: Deps) {
  app.get(
    '/shares/:token/replay',
    {
      schema: {
        operationId: 'getSharedReplay',
        summary: 'Get the replay of a share',
        description:
          'Returns the lines of the shared tracks with times, reduced so that even motion between two positions is off by a few meters, up to the delay for spectators.',
        tags: ['Shared'],
        params: SharedParams,
        problems: [shareNotFound, shareEnded, unavailable],
        response: { 200: streamed(EventReplay) },
      },
    },
    async (request, reply) => {
      const share = await openShare(deps, request.params.token)
      const { event_id: eventId, track_id } = share
      const encoding = acceptedEncoding(request)
      const caller = addressGroup(request.ip)
      const replay = await deps.replays(
        { eventId, trackId: track_id ?? undefined, untilMs: floorToMinute(share.shownUntilMs) },
        { kind: 'spectator', caller, encoding, left: clientLeft(reply) },
      )
      return sendJsonBytes(reply, replay, encoding)
    },
  )
}

/** A delayed replay is computed once a minute for all spectators. Infinity stays. */
function floorToMinute(timeMs: number): number {
  return Number.isFinite(timeMs) ? Math.floor(timeMs / 60_000) * 60_000 : timeMs
}
