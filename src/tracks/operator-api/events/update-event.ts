import { invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { insufficientRole } from '#platform/http/operators/operator-errors.ts'
import { eventDatesProblems } from '../../domain/event-dates.ts'
import { eventNotFound } from '../../errors.ts'
import type { EventWatches } from '../../live/event-watches.ts'
import { eventColumns, eventJson } from '../../representations/event-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { EventUpdate, OperatorEvent } from '../../schemas/events.ts'
import type { EventLimits } from '../../storage/event-limits.ts'
import type { OperatorEventsStore } from '../../storage/operator-events-store.ts'

type Deps = {
  operatorEvents: Pick<OperatorEventsStore, 'find' | 'change'>
  limits: Pick<EventLimits, 'refresh'>
  watches: Pick<EventWatches, 'check'>
  titleTimeZone: string
}

/** Fields that bind those who work on an event, or that make it erase tracks. */
const GOVERNED = ['max_tracks', 'max_points', 'retention_days'] as const

/** PATCH /operator/events/:id */
export function updateEvent(app: HttpServer, { operatorEvents, limits, watches, titleTimeZone }: Deps) {
  app.patch(
    '/operator/events/:id',
    {
      config: { operator: { role: 'editor' } },
      schema: {
        operationId: 'operatorUpdateEvent',
        summary: 'Update an event',
        description:
          'Changes an event. Absent fields stay unchanged; `null` removes a value. Operators who are limited to some events cannot change `max_tracks`, `max_points` and `retention_days`.',
        tags: ['Operator'],
        params: EventParams,
        body: EventUpdate,
        problems: [eventNotFound, insufficientRole],
        response: { 200: OperatorEvent },
      },
    },
    async ({ params, body, operatorAccess }) => {
      const before = await operatorEvents.find(params.id)
      if (before === undefined) throw eventNotFound()
      const changes = eventColumns(body)
      // A limit would bind nobody who could change it.
      if (GOVERNED.some((name) => name in changes && changes[name] !== before.event[name]))
        operatorAccess.require('editor', 'everything')
      // The schema has compared the dates of the body; one of them may be stored.
      const wrongDates = eventDatesProblems({ ...before.event, ...changes })
      if (wrongDates.length > 0) throw invalidFields(wrongDates)
      if (Object.keys(changes).length > 0) await operatorEvents.change(params.id, changes)
      await limits.refresh()
      if ('spectator_delay_sec' in changes) watches.check(params.id)
      const after = await operatorEvents.find(params.id)
      if (after === undefined) throw eventNotFound()
      return eventJson(after, titleTimeZone)
    },
  )
}
