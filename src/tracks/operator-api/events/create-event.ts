import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import type { EventTokens } from '../../events/event-tokens.ts'
import { eventColumns, eventJson, issuedTokenJson } from '../../representations/event-json.ts'
import { CreatedEvent, EventCreate } from '../../schemas/events.ts'
import type { EventLimits } from '../../storage/event-limits.ts'
import type { OperatorEventsStore } from '../../storage/operator-events-store.ts'

type Deps = {
  eventTokens: Pick<EventTokens, 'create'>
  operatorEvents: Pick<OperatorEventsStore, 'find'>
  limits: Pick<EventLimits, 'refresh'>
  titleTimeZone: string
}

/** POST /operator/events */
export function createEvent(app: HttpServer, { eventTokens, operatorEvents, limits, titleTimeZone }: Deps) {
  app.post(
    '/operator/events',
    {
      config: { operator: { role: 'editor', effect: 'changes', reach: 'everything' } },
      schema: {
        operationId: 'operatorCreateEvent',
        summary: 'Create an event',
        description: 'Creates an event with its first app token. The answer has the token in plain text.',
        tags: ['Operator'],
        body: EventCreate,
        response: { 201: CreatedEvent },
      },
    },
    async ({ body }, reply) => {
      const { name, ...details } = eventColumns(body)
      const { id, token } = await eventTokens.create(name, details)
      await limits.refresh()
      const event = await operatorEvents.find(id)
      if (event === undefined) throw eventNotFound()
      return reply.code(201).send({ ...eventJson(event, titleTimeZone), token: issuedTokenJson(token) })
    },
  )
}
