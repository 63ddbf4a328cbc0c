import Type, { type Static } from 'typebox'
import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import {
  courseMissing,
  eventNotFound,
  isRehearsal,
  rehearsalExists,
  rehearsalNotFound,
  startListMissing,
} from '../model/errors.ts'
import type { EventsStore } from '../model/events-store.ts'
import { EVENT_ID, EventParams, moment, nullableMoment } from '../model/schema-fields.ts'
import type { RehearsalRow } from '../model/tables.ts'
import { MAX_SIMULATED_RUNNERS, REHEARSAL_SPEED, type Rehearsals } from './rehearsals.ts'

const Rehearsal = Type.Object(
  {
    event_id: Type.String({
      format: 'uuid',
      description: 'The copy of the event, which has everything that the rehearsal records.',
      examples: [EVENT_ID],
    }),
    race_starts_at: moment('Time at which the race of the copy began. Its times go on faster than those of a clock.'),
    elapsed_sec: Type.Integer({
      minimum: 0,
      description: `Seconds of the race so far. ${REHEARSAL_SPEED} of them pass in a second.`,
      examples: [1260],
    }),
    ended_at: nullableMoment('Time at which the last simulated phone stopped; null while they send.'),
  },
  { title: 'Rehearsal' },
)

const FoundRehearsal = Type.Object(
  { rehearsal: Type.Unsafe<Static<typeof Rehearsal> | null>({ ...Rehearsal, type: ['object', 'null'] }) },
  { title: 'FoundRehearsal' },
)

const RehearsalCreate = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 250,
        description:
          'Name of the copy, by which spectators recognise it; `Rehearsal: ` and that of the event by default.',
        examples: ['Rehearsal: Trail 2026'],
      }),
    ),
  },
  { title: 'RehearsalCreate' },
)

type Deps = { events: EventsStore; rehearsals: Rehearsals }

function rehearsalJson({ event_id, starts_ms, sent_sec, ended_at }: RehearsalRow) {
  const elapsed_sec = Math.max(0, Math.floor(sent_sec))
  return { event_id, race_starts_at: formatDateTime(starts_ms), elapsed_sec, ended_at: momentOrNull(ended_at) }
}

/** GET /operator/events/:id/rehearsal */
export function getRehearsal(app: HttpServer, { events, rehearsals }: Deps) {
  app.get(
    '/operator/events/:id/rehearsal',
    {
      schema: {
        operationId: 'operatorGetRehearsal',
        summary: 'Get the rehearsal of an event',
        description: 'Returns the rehearsal of an event, under way or ended; null if there is none.',
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: FoundRehearsal },
      },
    },
    async ({ params }) => {
      await events.get(params.id)
      const found = await rehearsals.find(params.id)
      return { rehearsal: found === undefined ? null : rehearsalJson(found) }
    },
  )
}

/** POST /operator/events/:id/rehearsal */
export function createRehearsal(app: HttpServer, { events, rehearsals }: Deps) {
  app.post(
    '/operator/events/:id/rehearsal',
    {
      schema: {
        operationId: 'operatorCreateRehearsal',
        summary: 'Begin a rehearsal of an event',
        description: `Copies an event with its course, checkpoints and start list, and lets simulated phones run the race of the copy at
${REHEARSAL_SPEED} times the speed, ${MAX_SIMULATED_RUNNERS} at most. The event itself, its share links and its webhooks know nothing of it. The copy is
in no list of events, and goes with the rehearsal, or with the event.`,
        params: EventParams,
        body: RehearsalCreate,
        problems: [eventNotFound, courseMissing, startListMissing, rehearsalExists, isRehearsal],
        response: { 201: Rehearsal },
      },
    },
    async ({ params, body }, reply) => {
      const { name } = await events.get(params.id)
      const made = await rehearsals.begin(params.id, body.name ?? `Rehearsal: ${name}`)
      return reply.code(201).send(rehearsalJson(made))
    },
  )
}

/** DELETE /operator/events/:id/rehearsal */
export function deleteRehearsal(app: HttpServer, { events, rehearsals }: Deps) {
  app.delete(
    '/operator/events/:id/rehearsal',
    {
      schema: {
        operationId: 'operatorDeleteRehearsal',
        summary: 'Remove the rehearsal of an event',
        description: 'Ends a rehearsal and removes its copy of the event with all simulated tracks.',
        params: EventParams,
        problems: [eventNotFound, rehearsalNotFound],
        response: { 204: noContent('The rehearsal was removed.') },
      },
    },
    async ({ params }, reply) => {
      await events.get(params.id)
      if (!(await rehearsals.remove(params.id))) throw rehearsalNotFound()
      return reply.code(204).send()
    },
  )
}
