import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { type ReceivedWebhook, verifyWebhook, type WebhookFault } from './verify-webhook.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const OTHER_SECRET = `whsec_${randomBytes(32).toString('base64')}`
const SENT_SEC = 1_777_788_900
const BODY = '{"type":"track.finished","timestamp":"2026-05-03T06:15:00.000Z","data":{"id":"0b51a2de","title":"Été"}}'

describe('verifyWebhook', () => {
  test('returns the event of a signed request', async () => {
    const event = await verifyWebhook(webhook())

    assert.deepEqual(event, { id: 'msg_1', ...JSON.parse(BODY) })
  })

  // The example of the reference implementations of Standard Webhooks.
  test('verifies what other libraries sign', async () => {
    const event = await verifyWebhook({
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      body: '{"test": 2432232314}',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      nowMs: 1_614_265_330_000,
    })

    assert.equal((event as unknown as { test: number }).test, 2_432_232_314)
  })

  test('takes headers of the Fetch API, and a body of bytes', async () => {
    const { headers, ...rest } = webhook()

    const event = await verifyWebhook({
      ...rest,
      headers: new Headers(headers as Record<string, string>),
      body: new TextEncoder().encode(BODY),
    })

    assert.equal(event.type, 'track.finished')
  })

  test('takes either secret and either signature while a secret is exchanged', async () => {
    const signature = `v2,abc v1,not-base64! ${sign(OTHER_SECRET)} ${sign(SECRET)}`

    await verifyWebhook(webhook({ 'webhook-signature': signature }))
    await verifyWebhook({ ...webhook({}, BODY), secret: [OTHER_SECRET, SECRET] })
  })

  const faults: [what: string, fault: WebhookFault, received: ReceivedWebhook][] = [
    ['another body', 'signature', webhook({}, BODY.replace('finished', 'deleted'))],
    ['the signature of another secret', 'signature', webhook({ 'webhook-signature': sign(OTHER_SECRET) })],
    ['the signature of another id', 'signature', webhook({ 'webhook-id': 'msg_2' })],
    [
      'an unknown kind of signature',
      'signature',
      webhook({ 'webhook-signature': sign(SECRET).replace('v1,', 'v1a,') }),
    ],
    ['no signature', 'headers', webhook({ 'webhook-signature': undefined })],
    ['a time that is none', 'timestamp', webhook({ 'webhook-timestamp': 'now' })],
    ['a request of six minutes ago', 'timestamp', { ...webhook(), nowMs: (SENT_SEC + 360) * 1000 }],
    ['a request of the future', 'timestamp', { ...webhook(), nowMs: (SENT_SEC - 360) * 1000 }],
    ['a signed body that is not JSON', 'body', webhook({ 'webhook-signature': sign(SECRET, 'x') }, 'x')],
  ]
  for (const [what, fault, received] of faults) {
    test(`refuses ${what}`, async () => {
      await assert.rejects(verifyWebhook(received), { name: 'WebhookError', fault })
    })
  }

  test('says so if the secret is none', async () => {
    await assert.rejects(verifyWebhook({ ...webhook(), secret: 'trk_secret' }), TypeError)
  })
})

function webhook(changed: Record<string, string | undefined> = {}, body = BODY): ReceivedWebhook {
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(SENT_SEC), 'webhook-signature': sign(SECRET) }
  return { headers: { ...headers, ...changed }, body, secret: SECRET, nowMs: (SENT_SEC + 60) * 1000 }
}

function sign(secret: string, body = BODY): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`msg_1.${SENT_SEC}.${body}`).digest('base64')}`
}
