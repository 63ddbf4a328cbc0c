import Type from 'typebox'
import { rateLimited, unavailable } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import type { EventWatches } from '../../live/event-watches.ts'
import { openLiveStream } from '../../live/open-live-stream.ts'
import { trackSummary } from '../../representations/track-summary.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { LiveQuery } from '../../schemas/live.ts'
import type { EventsStore } from '../../storage/events-store.ts'

type Deps = {
  events: Pick<EventsStore, 'find'>
  watches: Pick<EventWatches, 'join'>
}

/** GET /operator/events/:id/live */
export function watchEvent(app: HttpServer, { events, watches }: Deps) {
  app.get(
    '/operator/events/:id/live',
    {
      schema: {
        operationId: 'operatorWatchEvent',
        summary: 'Watch an event',
        description:
          'Server-sent events: `track` (a track as it is now), `points` (positions to add to its line), `track-deleted`, `ready` once all that was before is told, `ended` when the event is gone. After a broken connection everything that changed meanwhile is told, by `Last-Event-ID`, on any instance; some of it may be told twice.',
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
      const { stream, sinceMs } = openLiveStream(request, reply)
      watches.join(id, { stream, sinceMs, trackId: undefined, show: trackSummary })
    },
  )
}
