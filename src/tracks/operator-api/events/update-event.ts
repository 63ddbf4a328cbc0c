import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { insufficientRole } from '#platform/http/operators/operator-errors.ts'
import { eventDatesProblems } from '../../domain/event-dates.ts'
import { countOverdue } from '../../erasure/retention.ts'
import { erasesTracks, eventNotFound } from '../../errors.ts'
import type { EventWatches } from '../../live/event-watches.ts'
import { eventColumns, eventJson } from '../../representations/event-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { EventUpdate, OperatorEvent } from '../../schemas/events.ts'
import type { EventLimits } from '../../storage/event-limits.ts'
import type { OperatorEventsStore } from '../../storage/operator-events-store.ts'
import type { EventRow, TracksTables } from '../../storage/tables.ts'

type Deps = {
  operatorEvents: Pick<OperatorEventsStore, 'find' | 'change'>
  limits: Pick<EventLimits, 'refresh'>
  watches: Pick<EventWatches, 'check'>
  db: Kysely<TracksTables>
  titleTimeZone: string
  now: () => number
}

/** Fields that bind those who work on an event, or that make it erase tracks. */
const GOVERNED = ['max_tracks', 'max_points', 'retention_days'] as const

/** PATCH /operator/events/:id */
export function updateEvent(app: HttpServer, deps: Deps) {
  const { operatorEvents, limits, watches, titleTimeZone } = deps
  app.patch(
    '/operator/events/:id',
    {
      config: { operator: { role: 'editor', effect: 'changes', also: ['erases', 'publishes'] } },
      schema: {
        operationId: 'operatorUpdateEvent',
        summary: 'Update an event',
        description:
          'Changes an event. Absent fields stay unchanged; `null` removes a value. Operators who are limited to some events cannot change `max_tracks`, `max_points` and `retention_days`. Only owners can shorten `retention_days`, with the number of tracks that this erases in `accepted_erasures`.',
        tags: ['Operator'],
        params: EventParams,
        body: EventUpdate,
        problems: [eventNotFound, erasesTracks, insufficientRole],
        response: { 200: OperatorEvent },
      },
    },
    async (request) => {
      const { params, body, operatorAccess } = request
      const before = await operatorEvents.find(params.id)
      if (before === undefined) throw eventNotFound()
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
      const after = await operatorEvents.find(params.id)
      if (after === undefined) throw eventNotFound()
      return eventJson(after, titleTimeZone)
    },
  )
}

/** Demands what an event needs that erases tracks sooner, or shows spectators what they were to see later. */
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
  { db, now }: Pick<Deps, 'db' | 'now'>,
  eventId: string,
  retentionDays: number,
  acceptedCount: number,
): Promise<void> {
  const count = await countOverdue(db, eventId, retentionDays, now())
  if (count > acceptedCount) throw erasesTracks({ members: { tracks_count: count } })
}
