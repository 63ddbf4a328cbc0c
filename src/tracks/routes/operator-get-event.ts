import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../errors.ts'
import { eventJson } from '../event-json.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { EventParams } from '../operator-schemas/addresses.ts'
import { OperatorEvent } from '../operator-schemas/events.ts'

/** GET /operator/events/:id */
export function operatorGetEvent(app: HttpServer, { operatorEvents }: OperatorDeps) {
  app.get<{ Params: { id: string } }>(
    '/operator/events/:id',
    {
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
      return eventJson(event)
    },
  )
}
