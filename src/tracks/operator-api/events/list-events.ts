import type { HttpServer } from '#platform/http/http-server.ts'
import { eventJson } from '../../representations/event-json.ts'
import { OperatorEventList } from '../../schemas/events.ts'
import type { OperatorEventsStore } from '../../storage/operator-events-store.ts'

type Deps = { operatorEvents: Pick<OperatorEventsStore, 'list'>; titleTimeZone: string }

/** GET /operator/events */
export function listEvents(app: HttpServer, { operatorEvents, titleTimeZone }: Deps) {
  app.get(
    '/operator/events',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorListEvents',
        summary: 'List events',
        description: 'Returns the events that the operator can reach with their counts, newest first.',
        tags: ['Operator'],
        response: { 200: OperatorEventList },
      },
    },
    async ({ operatorAccess }) => {
      const events = await operatorEvents.list(operatorAccess.reach)
      return { events: events.map((event) => eventJson(event, titleTimeZone)) }
    },
  )
}
