import type { FastifyRequest } from 'fastify'
import { invalidFields } from '#platform/basics/errors.ts'
import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import { insufficientRole } from '#platform/credentials/operator-access.ts'
import { announceEndedTokens } from '#platform/credentials/token.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { erasesTracks, eventNotFound } from '../model/errors.ts'
import { eventDatesProblems } from '../model/event-rules.ts'
import { beginDeletingTracks, type CountedEvent } from '../model/events-store.ts'
import { EventParams } from '../model/schema-fields.ts'
import type { EventRow } from '../model/tables.ts'
import type { ApiDeps } from './deps.ts'
import {
  CreatedEvent,
  EVENT_FIELDS,
  EventCreate,
  EventUpdate,
  OperatorEvent,
  OperatorEventList,
} from './event-schemas.ts'
import { shownTokenJson } from './event-tokens.ts'

/** POST /operator/events */
export function createEvent(app: HttpServer, { eventTokens, operatorEvents, limits, titleTimeZone }: ApiDeps) {
  app.post(
    '/operator/events',
    {
      schema: {
        operationId: 'operatorCreateEvent',
        summary: 'Create an event',
        description: 'Creates an event with its first app token. The answer has the token in plain text.',
        body: EventCreate,
        response: { 201: CreatedEvent },
      },
    },
    async ({ body }, reply) => {
      const { name, ...details } = eventColumns(body)
      const { id, token } = await eventTokens.create(name, details)
      await limits.refresh()
      const event = await operatorEvents.get(id)
      return reply.code(201).send({ ...eventJson(event, titleTimeZone), token: shownTokenJson(token.row, token.text) })
    },
  )
}

/** GET /operator/events */
export function listEvents(app: HttpServer, { operatorEvents, titleTimeZone }: ApiDeps) {
  app.get(
    '/operator/events',
    {
      schema: {
        operationId: 'operatorListEvents',
        summary: 'List events',
        description: 'Returns the events that the operator can reach with their counts, newest first.',
        response: { 200: OperatorEventList },
      },
    },
    async ({ operatorAccess }) => {
      const events = await operatorEvents.list(operatorAccess.reach)
      return { events: events.map((event) => eventJson(event, titleTimeZone)) }
    },
  )
}

/** GET /operator/events/:id */
export function getEvent(app: HttpServer, { operatorEvents, titleTimeZone }: ApiDeps) {
  app.get(
    '/operator/events/:id',
    {
      schema: {
        operationId: 'operatorGetEvent',
        summary: 'Get an event',
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: OperatorEvent },
      },
    },
    async ({ params }) => {
      const event = await operatorEvents.get(params.id)
      return eventJson(event, titleTimeZone)
    },
  )
}

/** Fields that bind the people who work on an event, or that make it erase tracks. */
const GOVERNED = ['max_tracks', 'max_points', 'retention_days'] as const

/** PATCH /operator/events/:id */
export function updateEvent(app: HttpServer, deps: ApiDeps) {
  const { operatorEvents, limits, watches, titleTimeZone } = deps
  app.patch(
    '/operator/events/:id',
    {
      schema: {
        operationId: 'operatorUpdateEvent',
        summary: 'Update an event',
        description:
          'Changes an event. Absent fields stay unchanged; `null` removes a value. Operators who are limited to some events cannot change `max_tracks`, `max_points` and `retention_days`. Only owners can shorten `retention_days`, with the number of tracks that this erases in `accepted_erasures`.',
        params: EventParams,
        body: EventUpdate,
        problems: [eventNotFound, erasesTracks, insufficientRole],
        response: { 200: OperatorEvent },
      },
    },
    async (request) => {
      const { params, body, operatorAccess } = request
      const before = await operatorEvents.get(params.id)
      const { accepted_erasures: acceptedCount = 0, ...fields } = body
      const changes = eventColumns(fields)
      // A limit would bind nobody who could change it.
      if (GOVERNED.some((name) => name in changes && changes[name] !== before.event[name]))
        operatorAccess.require('editor', 'everything')
      await demandEffects(request, before.event, changes)
      // The schema has compared the dates of the body; one of them may be stored.
      const wrongDates = eventDatesProblems({ ...before.event, ...changes })
      if (wrongDates.length > 0) throw invalidFields(wrongDates)
      if (isShortened(before.event.retention_days, changes.retention_days))
        await requireAcceptance(deps, params.id, changes.retention_days, acceptedCount)
      if (Object.keys(changes).length > 0) await operatorEvents.change(params.id, changes)
      await limits.refresh()
      if ('spectator_delay_sec' in changes) watches.check(params.id)
      const after = await operatorEvents.get(params.id)
      return eventJson(after, titleTimeZone)
    },
  )
}

/** Demands the effects of an event that erases tracks sooner, or shows spectators later points at once. */
async function demandEffects(request: FastifyRequest, before: EventRow, after: EventUpdate): Promise<void> {
  if (isShortened(before.retention_days, after.retention_days)) {
    request.operatorAccess.require('owner')
    await request.demandEffect('erases')
  }
  const { spectator_delay_sec: delaySec } = after
  if (delaySec !== undefined && (delaySec ?? 0) < (before.spectator_delay_sec ?? 0))
    await request.demandEffect('publishes')
}

function isShortened(before: number | null, after: number | null | undefined): after is number {
  return typeof after === 'number' && (before === null || after < before)
}

/** Refuses a retention that erases more tracks than the request accepts. */
async function requireAcceptance(
  { countOverdue }: ApiDeps,
  eventId: string,
  retentionDays: number,
  acceptedCount: number,
): Promise<void> {
  const count = await countOverdue(eventId, retentionDays)
  if (count > acceptedCount) throw erasesTracks({ members: { tracks_count: count } })
}

/** DELETE /operator/events/:id */
export function deleteEvent(app: HttpServer, deps: ApiDeps) {
  const { events, bin, database, watches, now } = deps
  app.delete(
    '/operator/events/:id',
    {
      schema: {
        operationId: 'operatorDeleteEvent',
        summary: 'Delete an event',
        description:
          'Puts an event with its tracks, tokens and shares into the bin, from which it can be restored for `BIN_DAYS`; it is gone for everyone at once. Without a bin, deletes it for good: its points are removed within the next minutes.',
        params: EventParams,
        problems: [eventNotFound],
        response: { 204: noContent('The event was deleted.') },
      },
    },
    async ({ params }, reply) => {
      // The copy of a rehearsal can be made again, and its phones do not send into a bin.
      const isBinned = bin.binDays > 0 && (await events.get(params.id)).rehearsal_of === null
      await (isBinned ? events.bin(params.id, now()) : events.end(params.id, now()))
      watches.check(params.id)
      await announceEndedTokens(database.notices, params.id)
      if (!isBinned) beginDeletingTracks(deps, params.id)
      return reply.code(204).send()
    },
  )
}

/** Represents an event for operators. `titleTimeZone` is the zone of events without one of their own. */
function eventJson({ event, counts }: CountedEvent, titleTimeZone: string): OperatorEvent {
  return {
    ...eventColumns(event),
    id: event.id,
    effective_time_zone: event.time_zone ?? titleTimeZone,
    rehearsal_of: event.rehearsal_of,
    created_at: formatDateTime(event.created_at),
    tracks_count: counts.tracks,
    running_tracks_count: counts.runningTracks,
    points_count: counts.points,
    last_point_at: momentOrNull(counts.lastPointMs),
  }
}

/** Returns the columns of an event that a body gives. */
function eventColumns<Body extends EventUpdate>(body: Body): Body {
  const columns = Object.fromEntries(
    EVENT_FIELDS.flatMap((name) => {
      const value = body[name as keyof EventUpdate]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return columns as Body
}
