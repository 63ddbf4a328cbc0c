import Type from 'typebox'
import { rateLimited, unavailable } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import type { EventWatches } from '../../live/event-watches.ts'
import { openLiveStream } from '../../live/open-live-stream.ts'
import { liveTrack } from '../../representations/track-summary.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { LiveQuery } from '../../schemas/live.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { RaceBoards } from '../../timing/race-boards.ts'

type Deps = {
  events: Pick<EventsStore, 'find'>
  watches: Pick<EventWatches, 'join'>
  raceBoards: Pick<RaceBoards, 'watch'>
}

/** GET /operator/events/:id/live */
export function watchEvent(app: HttpServer, { events, watches, raceBoards }: Deps) {
  app.get(
    '/operator/events/:id/live',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorWatchEvent',
        summary: 'Watch an event',
        description:
          'Streams server-sent events: `track` (the current state of a track), `points` (positions to add to its line), `track-deleted`, `ready` after the snapshot (with `tracks_left_out`, the number of older tracks that are not in it), `as-of` every few seconds (until when the client has every change), `ranking` where the event has a race (with `read_again`, read the whole ranking; else the entries that changed), `ended` when the event was deleted. With `Last-Event-ID`, a client that reconnects to any instance gets what changed meanwhile. Messages may be sent twice.',
        tags: ['Operator'],
        params: EventParams,
        querystring: LiveQuery,
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'A stream of events.' }) },
        problems: [eventNotFound, rateLimited, unavailable],
      },
    },
    async (request, reply) => {
      const { id } = request.params
      if ((await events.find(id)) === undefined) throw eventNotFound()
      const { stream, sinceMs } = openLiveStream(request, reply, id)
      watches.join(id, { stream, sinceMs, trackId: undefined, show: liveTrack })
      raceBoards.watch(id, { stream, trackId: undefined, delaySec: 0 })
    },
  )
}
