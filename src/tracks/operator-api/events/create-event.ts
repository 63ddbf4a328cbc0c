import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../../errors.ts'
import { eventJson, shownTokenJson } from '../../representations/event-json.ts'
import { CreatedEvent, NewEvent } from '../../schemas/events.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { checkEventDates } from './check-event-dates.ts'

/** POST /operator/events */
export function createEvent(app: HttpServer, deps: OperatorDeps) {
  const { events, eventTokens, operatorEvents, limits, tokenKey, now } = deps
  app.post(
    '/operator/events',
    {
      schema: {
        operationId: 'operatorCreateEvent',
        summary: 'Create an event',
        description: 'With its first app token, which is in the answer in plain text.',
        tags: ['Operator'],
        body: NewEvent,
        response: { 201: CreatedEvent },
      },
    },
    async ({ body }, reply) => {
      checkEventDates(body)
      const { name, note, starts_on, ends_on, max_tracks, max_points } = body
      const { id } = await eventTokens.create(name, { note, starts_on, ends_on, max_tracks, max_points })
      await limits.refresh()
      const event = await operatorEvents.find(id)
      const [token] = await events.tokens(id, now())
      if (event === undefined || token === undefined) throw eventNotFound()
      return reply.code(201).send({ ...eventJson(event), token: shownTokenJson(token, tokenKey) })
    },
  )
}
