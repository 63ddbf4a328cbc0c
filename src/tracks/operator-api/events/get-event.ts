import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import { eventJson } from '../../representations/event-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { OperatorEvent } from '../../schemas/events.ts'
import type { OperatorEventsStore } from '../../storage/operator-events-store.ts'

type Deps = { operatorEvents: Pick<OperatorEventsStore, 'find'>; titleTimeZone: string }

/** GET /operator/events/:id */
export function getEvent(app: HttpServer, { operatorEvents, titleTimeZone }: Deps) {
  app.get(
    '/operator/events/:id',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetEvent',
        summary: 'Get an event',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: OperatorEvent },
      },
    },
    async ({ params }) => {
      const event = await operatorEvents.find(params.id)
      if (event === undefined) throw eventNotFound()
      return eventJson(event, titleTimeZone)
    },
  )
}
