import type { HttpServer } from '#platform/http/http-server.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import { eventNotFound } from '../../errors.ts'
import { raceJson } from '../../representations/race-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { Race, RaceUpdate } from '../../schemas/race.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { RaceStore } from '../../storage/race/race-store.ts'

type Deps = {
  events: Pick<EventsStore, 'find'>
  races: Pick<RaceStore, 'findSummary' | 'change' | 'countRunners'>
}

/** GET /operator/events/:id/race */
export function getRace(app: HttpServer, { events, races }: Deps) {
  app.get(
    '/operator/events/:id/race',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetRace',
        summary: 'Get the race',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: Race },
      },
    },
    async ({ params }) => {
      if ((await events.find(params.id)) === undefined) throw eventNotFound()
      return raceJson(await races.findSummary(params.id), await races.countRunners(params.id))
    },
  )
}

/** PATCH /operator/events/:id/race */
export function updateRace(app: HttpServer, { races }: Deps) {
  app.patch(
    '/operator/events/:id/race',
    {
      config: { operator: { role: 'editor', effect: 'changes' } },
      schema: {
        operationId: 'operatorUpdateRace',
        summary: 'Set the common start',
        description: 'Sets the time from which all runners are timed; null times each from crossing the start line.',
        tags: ['Operator'],
        params: EventParams,
        body: RaceUpdate,
        problems: [eventNotFound],
        response: { 200: Race },
      },
    },
    async ({ params, body }) => {
      const { race_starts_at } = body
      const starts_at_ms = race_starts_at === null ? null : parseDateTime(race_starts_at)!.timeMs
      const race = await races.change(params.id, () => ({ starts_at_ms }))
      return raceJson(race, await races.countRunners(params.id))
    },
  )
}
