import { setTimeout as wait } from 'node:timers/promises'
import { createCursorCodec, isCursorText, pageOf } from '#platform/basics/list-cursor.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { ApiDeps } from '../api/deps.ts'
import { erasureNotFound, eventNotFound } from '../model/errors.ts'
import type { EventsStore } from '../model/events-store.ts'
import type { ErasureSubject, Erasures } from './erasures.ts'
import {
  ErasureMatch,
  ErasureParams,
  ErasurePreview,
  ErasureReceipt,
  ErasureReceiptList,
  ErasureReceiptsQuery,
  ErasureRequest,
  ErasureVerification,
} from './schemas.ts'
import { type ErasureCursor, type ErasuresStore, erasurePreviewJson, erasureReceiptJson } from './store.ts'

type Deps = ApiDeps & { erasures: Erasures; erasuresStore: ErasuresStore }

/** Registers the erasure of people's data. In a scope of its own, because its addresses are not those of an event. */
export function erasuresApi(app: HttpServer, deps: Deps): void {
  previewErasure(app, deps)
  createErasure(app, deps)
  listErasures(app, deps)
  getErasure(app, deps)
  verifyErasure(app, deps)
}

/** POST /operator/erasures/preview */
function previewErasure(app: HttpServer, { events, erasures }: Deps) {
  app.post(
    '/operator/erasures/preview',
    {
      schema: {
        operationId: 'operatorGetErasurePreview',
        summary: "Count a person's data",
        description: 'Counts what an erasure would remove. Changes nothing.',
        body: ErasureRequest,
        problems: [eventNotFound],
        response: { 200: ErasurePreview },
      },
    },
    async ({ body }) => {
      const preview = erasurePreviewJson(await erasures.preview(await requireSubject(events, body)))
      const places = await erasures.places(body.user_id, preview.event_ids)
      return {
        ...preview,
        events: places.map(({ eventId, eventName, name, tracks }) => ({
          event_id: eventId,
          event_name: eventName,
          name,
          tracks,
        })),
      }
    },
  )
}

/** Longest wait for the end of an erasure. Proxies break off requests after some thirty seconds or more. */
const ANSWER_WITHIN_MS = 15_000

/** POST /operator/erasures */
function createErasure(app: HttpServer, { database, events, erasures, logger }: Deps) {
  app.post(
    '/operator/erasures',
    {
      schema: {
        operationId: 'operatorCreateErasure',
        summary: "Erase a person's data",
        description: `Erases everything with this \`user_id\`, for good: tracks with points, statistics and shares, passings and results, start-list
entries, participants' tokens, recordings of phone apps, messages to webhooks, and remembered answers. The answer is the receipt. An erasure
that takes long is still in progress then: \`finished_at\` is null. It goes on after an interruption.`,
        body: ErasureRequest,
        problems: [eventNotFound],
        response: { 201: ErasureReceipt },
      },
    },
    async ({ body, operatorId }, reply) => {
      const begun = await erasures.begin(await requireSubject(events, body), operatorId)
      const ended = erasures.carryOut(begun.id).then(async (receipt) => {
        await database.maintain()
        return receipt
      })
      // After an interruption, maintenance of any instance continues it.
      const failed = ended.catch((err) => {
        logger.warn({ err, erasureId: begun.id }, 'an erasure was interrupted')
        return begun
      })
      const shown = await Promise.race([failed, wait(ANSWER_WITHIN_MS, begun, { ref: false })])
      return reply.code(201).send(erasureReceiptJson(shown))
    },
  )
}

const DEFAULT_PER_PAGE = 50

const cursors = createCursorCodec<ErasureCursor>(
  'erasures',
  ({ startedMs, id }) => Number.isSafeInteger(startedMs) && isCursorText(id),
)

/** GET /operator/erasures */
function listErasures(app: HttpServer, { erasuresStore }: Deps) {
  app.get(
    '/operator/erasures',
    {
      schema: {
        operationId: 'operatorListErasures',
        summary: 'List receipts of erasures',
        description: 'Returns the receipts of erasures, newest first, also those that a retention carried out.',
        querystring: ErasureReceiptsQuery,
        response: { 200: ErasureReceiptList },
      },
    },
    async ({ query: { limit = DEFAULT_PER_PAGE, cursor } }) => {
      const after = cursor === undefined ? undefined : cursors.decode(cursor)
      const found = await erasuresStore.list(after, limit + 1)
      const positionOf = ({ started_at, id }: (typeof found)[number]) => ({ startedMs: started_at, id })
      const { rows, nextCursor } = pageOf(found, limit, cursors, positionOf)
      return { erasures: rows.map(erasureReceiptJson), next_cursor: nextCursor }
    },
  )
}

/** GET /operator/erasures/:id */
function getErasure(app: HttpServer, { erasuresStore }: Deps) {
  app.get(
    '/operator/erasures/:id',
    {
      schema: {
        operationId: 'operatorGetErasure',
        summary: 'Get the receipt of an erasure',
        params: ErasureParams,
        problems: [erasureNotFound],
        response: { 200: ErasureReceipt },
      },
    },
    async ({ params }) => {
      const row = await erasuresStore.find(params.id)
      if (row === undefined) throw erasureNotFound()
      return erasureReceiptJson(row)
    },
  )
}

/** POST /operator/erasures/:id/verify */
function verifyErasure(app: HttpServer, { erasuresStore, erasures }: Deps) {
  app.post(
    '/operator/erasures/:id/verify',
    {
      schema: {
        operationId: 'operatorCheckErasureReceipt',
        summary: 'Check whose receipt this is',
        description: 'Tells whether a receipt is that of a person, whose `user_id` it does not contain.',
        params: ErasureParams,
        body: ErasureVerification,
        problems: [erasureNotFound],
        response: { 200: ErasureMatch },
      },
    },
    async ({ params, body }) => {
      const row = await erasuresStore.find(params.id)
      if (row === undefined) throw erasureNotFound()
      return { matches: erasures.isReceiptOf(row, body.user_id) ?? null }
    },
  )
}

/** Returns the person and the event of a request. @throws eventNotFound */
async function requireSubject(
  events: EventsStore,
  { user_id, event_id = null }: ErasureRequest,
): Promise<ErasureSubject> {
  if (event_id !== null) await events.get(event_id)
  return { userId: user_id, eventId: event_id }
}
