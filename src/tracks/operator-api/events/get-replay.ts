import { rateLimited, unavailable } from '#platform/errors.ts'
import { streamed } from '#platform/http/answer-schemas.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import { acceptedEncoding, sendJsonBytes } from '#platform/http/encoded-bytes.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Replays } from '../../computing/replays.ts'
import { eventNotFound } from '../../errors.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { EventReplay } from '../../schemas/replay.ts'
import type { EventsStore } from '../../storage/events-store.ts'

type Deps = { events: Pick<EventsStore, 'find'>; replays: Replays }

/** GET /operator/events/:id/replay */
export function getReplay(app: HttpServer, { events, replays }: Deps) {
  app.get(
    '/operator/events/:id/replay',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetReplay',
        summary: 'Get the replay of an event',
        description:
          'Returns the lines of all tracks with times, reduced so that even motion between two positions is off by a few meters; by more if there are thousands of tracks. Parts that are trimmed for display are left out.',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound, rateLimited, unavailable],
        response: { 200: streamed(EventReplay) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      if ((await events.find(id)) === undefined) throw eventNotFound()
      const encoding = acceptedEncoding(request)
      const asker = { kind: 'operator', caller: request.operatorId, encoding, left: clientLeft(reply) } as const
      const replay = await replays({ eventId: id, untilMs: Number.POSITIVE_INFINITY }, asker)
      return sendJsonBytes(reply, replay, encoding)
    },
  )
}
