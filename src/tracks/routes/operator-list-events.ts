import type { HttpServer } from '#platform/http/http-server.ts'
import { eventJson } from '../event-json.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { OperatorEventList } from '../operator-schemas/events.ts'

/** GET /operator/events */
export function operatorListEvents(app: HttpServer, { operatorEvents }: OperatorDeps) {
  app.get(
    '/operator/events',
    {
      schema: {
        operationId: 'operatorListEvents',
        summary: 'List events',
        description: 'All events, newest first, each with what it holds.',
        tags: ['Operator'],
        response: { 200: OperatorEventList },
      },
    },
    async () => ({ events: (await operatorEvents.list()).map(eventJson) }),
  )
}
