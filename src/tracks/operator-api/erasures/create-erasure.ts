import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '#platform/database/database.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import type { Erasures } from '../../erasure/erasures.ts'
import { eventNotFound } from '../../errors.ts'
import { erasureReceiptJson } from '../../representations/erasure-json.ts'
import { ErasureReceipt, ErasureRequest } from '../../schemas/erasures.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { TracksTables } from '../../storage/tables.ts'
import { requireSubject } from './erasure-subject.ts'

/** Longest wait for the end of an erasure. Proxies break off requests after some thirty seconds or more. */
const ANSWER_WITHIN_MS = 15_000

type Deps = {
  database: Pick<Database<TracksTables>, 'maintain'>
  events: Pick<EventsStore, 'find'>
  erasures: Pick<Erasures, 'begin' | 'carryOut'>
  logger: Logger
}

/** POST /operator/erasures */
export function createErasure(app: HttpServer, { database, events, erasures, logger }: Deps) {
  app.post(
    '/operator/erasures',
    {
      config: { operator: { role: 'owner', effect: 'erases' } },
      schema: {
        operationId: 'operatorCreateErasure',
        summary: "Erase a person's data",
        description: `Erases everything with this \`user_id\`, for good: tracks with points, statistics and shares, passings and results, start-list
entries, participants' tokens, recordings of phone apps, messages to webhooks, and remembered answers. The answer is the receipt. An erasure
that takes long is still in progress then: \`finished_at\` is null. It goes on after an interruption.`,
        tags: ['Operator'],
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
      // After an interruption, the upkeep of any instance continues it.
      const failed = ended.catch((err) => {
        logger.warn({ err, erasureId: begun.id }, 'an erasure was interrupted')
        return begun
      })
      const shown = await Promise.race([failed, wait(ANSWER_WITHIN_MS, begun, { ref: false })])
      return reply.code(201).send(erasureReceiptJson(shown))
    },
  )
}
