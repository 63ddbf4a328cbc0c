import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { unavailable } from '../basics/errors.ts'
import { deriveKeys } from '../basics/secrets.ts'
import { sealToken } from '../credentials/token.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import type { Settlement } from './deliveries-store.ts'
import type { WebhookAnswer } from './send-request.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from './tables.ts'

const NOW_MS = Date.parse('2026-05-03T06:15:00Z')
const ANSWER: WebhookAnswer = { status: 200, body: 'Thank you for “Morning run”', error: null }
const NO_ANSWER: WebhookAnswer = { status: null, body: null, error: 'The connection was refused.' }
const KEYS = deriveKeys([Buffer.alloc(32)], 'test')

describe('deliver', () => {
  test('plans a message whose data cannot be made like one without an answer, and says so', async () => {
    const { attempt, settled } = arrange({ completeDraft: () => Promise.reject(new Error('a damaged chunk')) })

    const attempted = await attempt({ attempts: 1 })
    await attempt({ attempts: 8 })

    assert.deepEqual(attempted, { result: 'retried', answeredAfterMs: undefined })
    const error = "The data of the message could not be made. The server's log has the reason."
    assert.deepEqual(
      settled.map((one) => [one.status, one.nextAtMs, one.error]),
      [
        ['pending', NOW_MS + 60_000, error],
        ['failed', null, error],
      ],
    )
  })

  test('does not count that the data cannot be made just now, for ten minutes', async () => {
    const { attempt, settled } = arrange({ completeDraft: () => Promise.reject(unavailable()) })

    await assert.rejects(attempt({ created_at: NOW_MS - 599_000 }), { code: 'UNAVAILABLE' })
    const later = await attempt({ created_at: NOW_MS - 600_000 })

    assert.equal(later?.result, 'retried')
    assert.deepEqual(
      settled.map((one) => one.nextAtMs),
      [NOW_MS + 5_000],
    )
  })

  test('ends a message whose content is gone', async () => {
    const { attempt, settled, sent } = arrange()

    const attempted = await attempt({ payload: null })

    assert.deepEqual(attempted, { result: 'failed', answeredAfterMs: undefined })
    assert.equal(settled[0].error, 'The content of this delivery was removed with what it is about.')
    assert.equal(sent.length, 0)
  })

  test('keeps what a receiver answers, unless the message is that something was deleted', async () => {
    const { attempt, settled } = arrange()

    const attempted = await attempt({ type: 'track.finished' })
    await attempt({ type: 'track.deleted', is_draft: 0, payload: '{"id":"a"}' })

    assert.equal(attempted?.result, 'delivered')
    assert.ok(attempted.answeredAfterMs! < 10_000)
    assert.deepEqual(
      settled.map((one) => [one.response_status, one.response_body]),
      [
        [200, 'Thank you for “Morning run”'],
        [200, ''],
      ],
    )
  })

  test('sends nothing to an endpoint that was disabled meanwhile, and does not count it', async () => {
    const { attempt, settled, sent, released } = arrange({ endpoint: { is_enabled: 0 } })

    assert.equal(await attempt(), undefined)

    assert.deepEqual([sent.length, settled.length, released], [0, 0, [NOW_MS]])
  })

  test('does not count an attempt that the stop of the server breaks off, unless there was an answer', async () => {
    const broken = arrange({ answer: NO_ANSWER })
    const answered = arrange()

    await broken.attempt({}, AbortSignal.abort())
    await answered.attempt({}, AbortSignal.abort())

    assert.deepEqual([broken.settled.length, broken.released], [0, [NOW_MS]])
    assert.deepEqual([answered.settled.length, answered.released], [1, []])
  })

  test('disables an endpoint that answers 410, and ends the message', async () => {
    const { attempt, settled, disabled } = arrange({ answer: { status: 410, body: '', error: null } })

    await attempt()

    assert.deepEqual([settled[0].status, disabled], ['failed', ['endpoint']])
  })

  test('tells a receiver that did not answer from one that was not asked', async () => {
    const { attempt } = arrange({ answer: NO_ANSWER })

    assert.deepEqual(await attempt(), { result: 'retried', answeredAfterMs: Number.POSITIVE_INFINITY })
  })
})

type Options = {
  completeDraft?: DeliverDeps['completeDraft']
  answer?: WebhookAnswer
  endpoint?: Partial<WebhookEndpointRow>
}

/** Parts of a delivery, beside those of the draft of a message. */
function arrange(options: Options = {}) {
  const { completeDraft = async () => ({ id: 'a' }), answer = ANSWER } = options
  const settled: Settlement[] = []
  const sent: unknown[] = []
  const released: number[] = []
  const disabled: string[] = []
  const secrets = { secret: sealToken('whsec_c2VjcmV0', KEYS), former_secret: null }
  const endpoint = { id: 'endpoint', is_enabled: 1, ...secrets, ...options.endpoint }
  const deps = {
    endpoints: {
      findAny: async () => endpoint as unknown as WebhookEndpointRow,
      disableGone: async (id: string) => void disabled.push(id),
    },
    deliveries: {
      completeDraft: async (_row: WebhookDeliveryRow, payload: string) => payload,
      settle: async (_row: WebhookDeliveryRow, settlement: Settlement) => void settled.push(settlement),
      release: async (_row: WebhookDeliveryRow, atMs: number) => void released.push(atMs),
      removeOf: async () => {},
    },
    async sendRequest(request: unknown) {
      sent.push(request)
      return answer
    },
    completeDraft,
    sealingKeys: KEYS,
    logger: pino({ level: 'silent' }),
    now: () => NOW_MS,
  }
  const draft = { endpoint_id: 'endpoint', id: 'message', owner_id: 'owner', subject_id: 'a', type: 'track.created' }
  const row = { ...draft, created_at: NOW_MS, payload: '{}', is_draft: 1, attempts: 0 } as WebhookDeliveryRow
  return {
    settled,
    sent,
    released,
    disabled,
    attempt: (fields: Partial<WebhookDeliveryRow> = {}, signal = new AbortController().signal) =>
      deliver(deps as unknown as DeliverDeps, { ...row, ...fields }, signal),
  }
}
