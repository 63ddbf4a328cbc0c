import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { deriveKeys } from '../basics/secrets.ts'
import { sealToken } from '../credentials/token.ts'
import type { Busy, DueDelivery } from './deliveries-store.ts'
import { DeliveryQueue } from './delivery-queue.ts'
import type { WebhookDeliveryRow } from './tables.ts'

const DUE: DueDelivery = { endpoint_id: 'endpoint', owner_id: 'owner', due_at: 0 }
const CLAIMED = DUE as WebhookDeliveryRow
const KEYS = deriveKeys([Buffer.alloc(32)], 'test')
/** An endpoint that never answers. */
const SILENT = { id: 'silent', is_enabled: 1, secret: sealToken('whsec_c2VjcmV0', KEYS), former_secret: null }

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

  test('waits two seconds for an attempt when it is closed, then breaks it off', async (t) => {
    const silent = { ...CLAIMED, endpoint_id: 'silent', created_at: 0, is_draft: 0, payload: '{}' }
    const { queue, search, released } = arrange(t, [async () => silent])
    await search()
    let isClosed = false

    const closing = queue.close().then(() => (isClosed = true))
    t.mock.timers.tick(1_999)
    await turns()
    assert.deepEqual([isClosed, released], [false, []])
    t.mock.timers.tick(1)
    await turns()

    assert.deepEqual([isClosed, released], [true, ['silent']])
    await closing
  })
})

async function turns(): Promise<void> {
  for (let at = 0; at < 20; at++) await turn()
}

/** A queue with one due delivery. Its endpoint has one slot, because it was not asked yet. */
function arrange(t: TestContext, claims: (() => Promise<WebhookDeliveryRow | undefined>)[]) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const attempts: string[] = []
  const released: string[] = []
  const deps = {
    endpoints: {
      async findAny(id: string) {
        attempts.push(id)
        if (id === 'broken') throw new Error('no database')
        return id === 'silent' ? SILENT : undefined
      },
      disableGone: async () => {},
    },
    deliveries: {
      listDue: async (_nowMs: number, { endpointIds }: Busy) =>
        claims.length === 0 || endpointIds.includes(DUE.endpoint_id) ? [] : [DUE],
      claim: async () => await claims.shift()!(),
      removeOf: async () => {},
      completeDraft: async (_row: unknown, payload: string) => payload,
      settle: async () => {},
      release: async ({ endpoint_id }: WebhookDeliveryRow) => void released.push(endpoint_id),
    },
    metrics: { attempted: () => {} },
    async sendRequest(_request: unknown, signal: AbortSignal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      return { status: null, body: null, error: 'The server stopped.' }
    },
    completeDraft: async () => ({}),
    sealingKeys: KEYS,
    logger: pino({ level: 'silent' }),
    now: () => 0,
  }
  const queue = new DeliveryQueue(deps as unknown as ConstructorParameters<typeof DeliveryQueue>[0])
  return {
    queue,
    attempts,
    released,
    /** Has the queue search, and lets what it starts end. */
    async search() {
      queue.wakeIn(50)
      t.mock.timers.tick(50)
      await turns()
    },
  }
}
