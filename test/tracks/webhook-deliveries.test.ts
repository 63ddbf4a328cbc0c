import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import {
  adjustableClock,
  arrange,
  openEvent,
  startForWebhooks,
  until,
  type Webhook,
} from '../support/event-webhooks.ts'
import { makePoints } from '../support/make-points.ts'
import { startWebhookReceiver, verifyMessage } from '../support/webhook-receiver.ts'

describeOn(databases, 'webhooks of an event', async (database, once) => {
  const shared = await startForWebhooks({ after }, database)

  test('are tried again after 5 seconds, a minute and so on, and end after the ninth attempt', async (t) => {
    const clock = adjustableClock()
    const { service, path, receiver, create, log, wake } = await arrange(
      t,
      await startForWebhooks(t, database, { now: clock.now }),
      (response) => response.writeHead(500).end('out of order'),
    )
    const { id } = await create()

    await service.answer(202, 'POST', `${path}/${id}/test`)
    const planned: number[] = []
    for (let attempt = 1; attempt <= 9; attempt++) {
      await receiver.until(attempt)
      const [delivery] = await until(
        () => log(id),
        ([found]) => found.attempts === attempt,
      )
      if (attempt === 9) break
      planned.push(Date.parse(delivery.next_attempt_at as string) - clock.now())
      clock.advance(planned.at(-1)!)
      wake()
    }

    const [ended] = await log(id)
    const pausesSec = [5, 60, 300, 1800, 7200, 21_600, 43_200, 86_400]
    assert.deepEqual(
      planned,
      pausesSec.map((sec) => sec * 1000),
    )
    assert.equal(ended.status, 'failed')
    assert.equal(ended.next_attempt_at, null)
    assert.equal(ended.response_status, 500)
    assert.equal(ended.response_body, 'out of order')
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  })

  test('are disabled by an answer of 410, and wait until they are enabled', async (t) => {
    const { service, path, receiver, create, log } = await openEvent(t, shared, (response, _message, at) =>
      response.writeHead(at === 0 ? 410 : 204).end(),
    )
    const { id } = await create()
    await service.answer(202, 'POST', `${path}/${id}/test`)
    const list = () => service.answer<{ webhooks: Webhook[] }>(200, 'GET', path)

    const { webhooks } = await until(list, ({ webhooks: [found] }) => !found.enabled)
    assert.equal((await service.request('POST', `${path}/${id}/test`)).status, 409)
    await service.answer(201, 'POST', '/tracks', { device_track_id: 'unheard' })
    await service.answer(200, 'PATCH', `${path}/${id}`, { enabled: true })
    await service.answer(202, 'POST', `${path}/${id}/test`)
    await receiver.until(2)

    assert.equal(webhooks[0].disabled_reason, 'gone')
    const deliveries = await until(
      () => log(id),
      (found) => found.every(({ status }) => status !== 'pending'),
    )
    assert.deepEqual(
      deliveries.map(({ type, status }) => [type, status]),
      [
        ['webhook.test', 'delivered'],
        ['webhook.test', 'failed'],
      ],
    )
  })

  test('hold back what was not delivered while they are disabled', async (t) => {
    const clock = adjustableClock()
    const { service, path, receiver, create, log, wake } = await arrange(
      t,
      await startForWebhooks(t, database, { now: clock.now }),
      (response, _message, at) => response.writeHead(at === 0 ? 503 : 204).end(),
    )
    const { id } = await create()
    await service.answer(202, 'POST', `${path}/${id}/test`)
    await until(
      () => log(id),
      ([found]) => found.attempts === 1,
    )

    await service.answer(200, 'PATCH', `${path}/${id}`, { enabled: false })
    clock.advance(60_000)
    wake()
    await wait(300)
    const [held] = await log(id)
    await service.answer(200, 'PATCH', `${path}/${id}`, { enabled: true })
    await receiver.until(2)

    assert.deepEqual([held.status, held.next_attempt_at, held.attempts], ['pending', null, 1])
  })

  test('follow no redirect', async (t) => {
    const target = await startWebhookReceiver(t)
    const { service, path, create, log } = await openEvent(t, shared, (response) =>
      response.writeHead(307, { location: target.url }).end(),
    )
    const { id } = await create()

    await service.answer(202, 'POST', `${path}/${id}/test`)

    const [delivery] = await until(
      () => log(id),
      ([found]) => found.attempts === 1,
    )
    assert.equal(delivery.response_status, 307)
    assert.equal(delivery.status, 'pending')
    assert.equal(target.received.length, 0)
  })

  test('keep the first 4 KiB of an answer', async (t) => {
    const { service, path, create, log } = await openEvent(t, shared, (response) =>
      response.writeHead(200).end(`\0${'é'.repeat(100_000)}`),
    )
    const { id } = await create()

    await service.answer(202, 'POST', `${path}/${id}/test`)

    const [delivery] = await until(
      () => log(id),
      ([found]) => found.status === 'delivered',
    )
    const text = delivery.response_body as string
    assert.ok(text.startsWith('\uFFFDéé'))
    assert.ok(Buffer.byteLength(text) <= 4096 + 4)
  })

  once('go to the address that was checked, whatever the name leads to a moment later', async (t) => {
    const inner = await startWebhookReceiver(t)
    const asked: string[] = []
    // The second answer leads elsewhere.
    const resolveName = async (name: string) => [asked.push(name) % 2 === 1 ? '10.0.0.1' : '127.0.0.1']
    const { service, path, create, log } = await arrange(
      t,
      await startForWebhooks(t, database, {
        settings: { WEBHOOK_ALLOWED_NETWORKS: '192.0.2.0/24' },
        resolveName,
      }),
    )
    const url = inner.url.replace('127.0.0.1', 'rebinding.example').replace('http:', 'https:')
    const { id } = await create({ url })

    await service.answer(202, 'POST', `${path}/${id}/test`)

    const [delivery] = await until(
      () => log(id),
      ([found]) => found.attempts === 1,
    )
    assert.equal(delivery.error, 'The URL leads to an address that is not allowed.')
    assert.equal(delivery.response_status, null)
    assert.deepEqual(asked, ['rebinding.example'])
    assert.equal(inner.received.length, 0)
  })

  once('use one look-up of a name for the connection', async (t) => {
    const asked: string[] = []
    const resolveName = async (name: string) => [asked.push(name) === 1 ? '127.0.0.1' : '127.0.0.9']
    const { service, path, receiver, create } = await arrange(t, await startForWebhooks(t, database, { resolveName }))
    const { id } = await create({ url: receiver.url.replace('127.0.0.1', 'receiver.example') })

    await service.answer(202, 'POST', `${path}/${id}/test`)
    const [message] = await receiver.until(1)

    assert.match(message.headers.host, /^receiver\.example:/)
    assert.deepEqual(asked, ['receiver.example'])
  })

  test('are delivered once each by two instances', async (t) => {
    const { service, receiver, create } = await arrange(t, await startForWebhooks(t, database))
    await create()
    if (database.name !== 'SQLite') await service.startAnother()

    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        service.answer(201, 'POST', '/sync', { track: { device_track_id: `d${at}` }, points: makePoints(3) }),
      ),
    )
    await receiver.until(80)
    await wait(1_500)

    assert.equal(receiver.received.length, 80)
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 80)
  })

  test('are sent again on request, with the same body and id, and a new time', async (t) => {
    const clock = adjustableClock()
    const { service, path, receiver, create, log } = await arrange(
      t,
      await startForWebhooks(t, database, { now: clock.now }),
    )
    const { id, secret } = await create()
    await service.answer(201, 'POST', '/tracks', { device_track_id: 'a' })
    const [first] = await receiver.until(1)
    await until(
      () => log(id),
      ([found]) => found.status === 'delivered',
    )
    clock.advance(60_000)

    await service.answer(202, 'POST', `${path}/${id}/deliveries/${first.id}/redeliver`)
    const [, again] = await receiver.until(2)

    assert.equal(again.id, first.id)
    assert.equal(again.body, first.body)
    assert.ok(Number(again.headers['webhook-timestamp']) - Number(first.headers['webhook-timestamp']) >= 60)
    verifyMessage(secret, again)
  })

  test('end without content, instead of being tried for ever, if it was removed while they were sent again', async (t) => {
    const { service, path, receiver, create, log } = await openEvent(t, shared)
    const { id } = await create()
    await service.answer(202, 'POST', `${path}/${id}/test`)
    await receiver.until(1)
    const [{ id: message }] = await until(
      () => log(id),
      ([found]) => found.status === 'delivered',
    )
    const { db, webhooks } = service.server.tracks!.deps
    const change = (values: object) =>
      db.updateTable('webhook_deliveries').set(values).where('endpoint_id', '=', id).execute()

    await change({ payload: null, is_forgotten: 1 })
    await webhooks.routeDeps.deliveries.redeliver(id, message, Date.now())
    const [untouched] = await log(id)
    await change({ status: 'pending', due_at: Date.now() })
    const [ended] = await until(
      () => log(id),
      ([found]) => found.status === 'failed',
    )

    assert.equal(untouched.status, 'delivered')
    assert.equal(ended.error, 'The content of this delivery was removed with what it is about.')
    assert.equal(ended.next_attempt_at, null)
    assert.equal(receiver.received.length, 1)
  })

  once('reach a receiver four at once as soon as it has answered', async (t) => {
    const { service, path, receiver, create, log } = await openEvent(t, shared, (response, _message, at) => {
      if (at === 0) response.end()
    })
    const { id } = await create()
    await service.answer(202, 'POST', `${path}/${id}/test`)
    await until(
      () => log(id),
      ([found]) => found.status === 'delivered',
    )

    for (let at = 0; at < 5; at++) await service.answer(202, 'POST', `${path}/${id}/test`)
    await receiver.until(5)

    const attempted = (await log(id)).filter(({ last_attempt_at }) => last_attempt_at !== null)
    assert.deepEqual([receiver.received.length, attempted.length], [5, 1])
  })

  once(
    'reach good receivers at once beside others that do not answer, of the same owner and of four more',
    async (t) => {
      const silent = await startWebhookReceiver(t, () => {})
      const { service, receiver, create } = await arrange(t, await startForWebhooks(t, database))
      const others = await Promise.all(['a', 'b', 'c', 'd'].map((name) => service.createEvent(name)))
      const silently = { url: silent.url, types: ['track.created'] }
      for (let at = 0; at < 5; at++) await create(silently)
      for (const { id } of others)
        for (let at = 0; at < 5; at++) await service.answer(201, 'POST', `/operator/events/${id}/webhooks`, silently)
      const tokens = [service.token, ...others.map(({ token }) => token)]
      for (const token of tokens)
        for (let at = 0; at < 4; at++)
          await service.request('POST', '/tracks', { device_track_id: `d${at}` }, { 'X-API-Key': token })
      await silent.until(25)

      await create()
      for (let at = 0; at < 5; at++) await service.answer(201, 'POST', '/tracks', { device_track_id: `own ${at}` })
      await receiver.until(5)

      // Each was asked once, and none of them was given up meanwhile.
      assert.equal(silent.received.length, 25)
    },
  )

  test('keep their log for 14 days', async (t) => {
    const clock = adjustableClock()
    const { service, path, receiver, create, log } = await arrange(
      t,
      await startForWebhooks(t, database, { now: clock.now }),
    )
    const { id } = await create()
    await service.answer(202, 'POST', `${path}/${id}/test`)
    await receiver.until(1)
    const { webhooks } = service.server.tracks!.deps

    clock.advance(13.9 * 86_400_000)
    await webhooks.removeExpired()
    const kept = await log(id)
    clock.advance(0.2 * 86_400_000)
    await webhooks.removeExpired()

    assert.equal(kept.length, 1)
    assert.deepEqual(await log(id), [])
  })
})
