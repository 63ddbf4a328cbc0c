import { invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
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

/** PATCH /operator/events/:id */
export function updateEvent(app: HttpServer, { operatorEvents, limits, watches, titleTimeZone }: Deps) {
  app.patch(
    '/operator/events/:id',
    {
      schema: {
        operationId: 'operatorUpdateEvent',
        summary: 'Update an event',
        description: 'Changes an event. Absent fields stay unchanged; `null` removes a value.',
        tags: ['Operator'],
        params: EventParams,
        body: EventUpdate,
        problems: [eventNotFound],
        response: { 200: OperatorEvent },
      },
    },
    async ({ params, body }) => {
      const before = await operatorEvents.find(params.id)
      if (before === undefined) throw eventNotFound()
      const changes = eventColumns(body)
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
