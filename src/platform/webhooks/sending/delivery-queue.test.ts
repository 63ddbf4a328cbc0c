import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { deriveKeys } from '../../security/secret.ts'
import type { DueDelivery } from '../storage/deliveries-store.ts'
import type { WebhookDeliveryRow } from '../storage/webhook-tables.ts'
import { DeliveryQueue } from './delivery-queue.ts'

const DUE: DueDelivery = { endpoint_id: 'endpoint', owner_id: 'owner', due_at: 0 }
const CLAIMED = DUE as WebhookDeliveryRow

describe('DeliveryQueue', () => {
  test('keeps no slot for a delivery that another instance claims first', async (t) => {
    const { search, attempts } = arrange(t, [async () => undefined, async () => CLAIMED])

    await search()

    assert.deepEqual(attempts, ['endpoint'])
  })

  test('keeps no slot for a delivery whose claim fails', async (t) => {
    const { search, attempts } = arrange(t, [() => Promise.reject(new Error('no database')), async () => CLAIMED])

    await search()
    await search()

    assert.deepEqual(attempts, ['endpoint'])
  })

  test('keeps no slot for an attempt that fails here', async (t) => {
    const broken = { ...CLAIMED, endpoint_id: 'broken' }
    const { search, attempts } = arrange(t, [async () => broken, async () => CLAIMED])

    await search()

    assert.deepEqual(attempts, ['broken', 'endpoint'])
  })
})

/** A queue with one due delivery. Its endpoint has one slot, because it was not asked yet. */
function arrange(t: TestContext, claims: (() => Promise<WebhookDeliveryRow | undefined>)[]) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const attempts: string[] = []
  const queue = new DeliveryQueue({
    endpoints: {
      async findAny(id) {
        attempts.push(id)
        if (id === 'broken') throw new Error('no database')
        return undefined
      },
      disableGone: async () => {},
    },
    deliveries: {
      listDue: async (_nowMs, { endpointIds }) =>
        claims.length === 0 || endpointIds.includes(DUE.endpoint_id) ? [] : [DUE],
      claim: async () => await claims.shift()!(),
      removeOf: async () => {},
      completeDraft: async (_row, payload) => payload,
      settle: async () => {},
      release: async () => {},
    },
    metrics: { attempted: () => {} },
    sendRequest: async () => ({ status: 200, body: '', error: null }),
    completeDraft: async () => ({}),
    sealingKeys: deriveKeys([Buffer.alloc(32)], 'test'),
    logger: pino({ level: 'silent' }),
    now: () => 0,
  })
  return {
    attempts,
    /** Has the queue search, and lets what it starts end. */
    async search() {
      queue.wakeSoon()
      t.mock.timers.tick(50)
      for (let at = 0; at < 20; at++) await turn()
    },
  }
}
