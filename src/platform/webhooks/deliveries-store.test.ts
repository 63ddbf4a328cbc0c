import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { databases } from '../../../test/support/databases.ts'
import { createDeliveriesStore, type Settlement } from './deliveries-store.ts'
import { createWebhookTables, type WebhookDeliveryRow, type WebhookEndpointRow, type WebhookTables } from './tables.ts'

const ENDPOINT: WebhookEndpointRow = {
  id: 'endpoint',
  owner_id: 'event',
  url: 'https://receiver.example',
  types: null,
  is_enabled: 1,
  disabled_at: null,
  disabled_reason: null,
  secret: new Uint8Array(),
  former_secret: null,
  former_until: null,
  created_at: 0,
  updated_at: 0,
}

const DELIVERY: WebhookDeliveryRow = {
  endpoint_id: 'endpoint',
  id: 'message',
  owner_id: 'event',
  subject_id: 'track',
  type: 'track.finished',
  created_at: 0,
  payload: '{}',
  is_draft: 0,
  is_forgotten: 0,
  status: 'pending',
  attempts: 0,
  due_at: 1000,
  lease_owner: null,
  last_attempt_at: null,
  duration_ms: null,
  response_status: null,
  response_body: null,
  error: null,
}

const DELIVERED: Settlement = {
  status: 'delivered',
  nextAtMs: null,
  last_attempt_at: 1000,
  duration_ms: 5,
  response_status: 204,
  response_body: '',
  error: null,
}

/** A store with one due delivery, which instances claim. */
async function start(t: TestContext) {
  const migrations = { first: { up: createWebhookTables } }
  const { db } = await databases[0].connect<WebhookTables>(t, { migrations })
  await db.insertInto('webhook_endpoints').values(ENDPOINT).execute()
  const store = createDeliveriesStore(db)
  await store.add(DELIVERY)
  return {
    store,
    stored: async () => (await store.find('endpoint', 'message'))!,
    async claim(instance: string, nowMs: number, untilMs: number) {
      const [due] = await store.listDue(nowMs, { endpointIds: [], ownerIds: [] }, 1)
      return (await store.claim(due, instance, untilMs))!
    },
  }
}

describe('createDeliveriesStore', () => {
  // The clocks of instances differ a little, so that two leases may end at the same time.
  for (const [next, untilMs] of [
    ['one', 3000],
    ['other', 2000],
  ] as const) {
    test(`writes nothing for an attempt whose lease has ended, and which instance ${next} continues`, async (t) => {
      const { store, stored, claim } = await start(t)
      const lost = await claim('one', 1000, 2000)
      const held = await claim(next, 2000, untilMs)

      await store.settle(lost, DELIVERED)
      await store.release(lost, 9000)

      assert.deepEqual(await stored(), held)
      await store.settle(held, DELIVERED)
      const { status, attempts, due_at, lease_owner } = await stored()
      assert.deepEqual([status, attempts, due_at, lease_owner], ['delivered', 1, null, null])
    })
  }

  test('sends nothing again that is in progress, or whose content is gone', async (t) => {
    const { store, stored, claim } = await start(t)
    const held = await claim('one', 1000, 2000)

    await store.redeliver('endpoint', 'message', 1500)
    assert.deepEqual(await stored(), held)
    await store.settle(held, DELIVERED)
    await store.add({ ...DELIVERY, id: 'gone', status: 'delivered', due_at: null, payload: null })
    for (const id of ['message', 'gone']) await store.redeliver('endpoint', id, 5000)

    assert.deepEqual([(await stored()).due_at, (await stored()).attempts], [5000, 0])
    assert.equal((await store.find('endpoint', 'gone'))?.due_at, null)
  })
})
