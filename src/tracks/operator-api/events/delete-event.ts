import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { eventNotFound } from '../../errors.ts'
import type { EventWatches } from '../../live/event-watches.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { deleteTracksOfEvent } from '../../storage/delete-event-tracks.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { TracksTables } from '../../storage/tables.ts'

type Deps = {
  database: Pick<Database<TracksTables>, 'notices'>
  db: Kysely<TracksTables>
  events: Pick<EventsStore, 'end'>
  watches: Pick<EventWatches, 'check'>
  logger: Logger
  now: () => number
}

/** DELETE /operator/events/:id */
export function deleteEvent(app: HttpServer, { db, events, database, watches, logger, now }: Deps) {
  app.delete(
    '/operator/events/:id',
    {
      config: { operator: { role: 'editor', effect: 'erases', reach: 'everything' } },
      schema: {
        operationId: 'operatorDeleteEvent',
        summary: 'Delete an event',
        description:
          'Deletes an event with all its tracks, tokens and shares for good. It disappears at once; its points are removed within the next minutes.',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound],
        response: { 204: noContent('The event was deleted.') },
      },
    },
    async ({ params }, reply) => {
      if (!(await events.end(params.id, now()))) throw eventNotFound()
      watches.check(params.id)
      await announceEndedTokens(database.notices, params.id)
      // Takes up to minutes. The service resumes it after an interruption.
      deleteTracksOfEvent(db, params.id).catch((err) =>
        logger.warn({ err, eventId: params.id }, 'removing the tracks of a deleted event failed'),
      )
      return reply.code(204).send()
    },
  )
}
