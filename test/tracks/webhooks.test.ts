import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases, type TestDatabase } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { type ServiceOptions, startService } from '../support/start-service.ts'
import { startWebhookReceiver, verifyMessage, type WebhookReceiver } from '../support/webhook-receiver.ts'

type Webhook = { id: string; url: string; types: string[] | null; enabled: boolean; secret: string } & Record<
  string,
  unknown
>
type Delivery = { id: string; type: string; status: string; attempts: number } & Record<string, unknown>

const LOOPBACK = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }

for (const database of databases) {
  describe(`webhooks of an event on ${database.name}`, () => {
    test('tell of tracks that are created, finished and deleted, with what GET answers', async (t) => {
      const { service, receiver, create } = await arrange(t, database)
      const { secret } = await create()

      const { id } = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'a' })
      const [created] = await receiver.until(1)
      const asCreated = await service.answer(200, 'GET', `/tracks/${id}`)
      await service.answer(204, 'POST', `/tracks/${id}/points`, { points: makePoints(20) })
      await service.answer(200, 'POST', `/tracks/${id}/finish`)
      const [, finished] = await receiver.until(2)
      const asFinished = await service.answer(200, 'GET', `/tracks/${id}`)
      assert.equal((await service.asManager('DELETE', `/tracks/${id}`)).status, 204)
      const [, , deleted] = await receiver.until(3)

      assert.equal(created.type, 'track.created')
      assert.deepEqual(created.data, asCreated)
      assert.equal(finished.type, 'track.finished')
      assert.deepEqual(finished.data, asFinished)
      assert.equal(deleted.type, 'track.deleted')
      assert.deepEqual(deleted.data, { id })
      for (const message of receiver.received) verifyMessage(secret, message)
      assert.equal(new Set(receiver.received.map((message) => message.id)).size, 3)
    })

    test('tell of a synced track both that it was created and that it is finished', async (t) => {
      const { service, receiver, create } = await arrange(t, database)
      await create()
      const body = { track: { device_track_id: 's' }, points: makePoints(30) }

      const { track_id } = await service.answer<{ track_id: string }>(201, 'POST', '/sync', body)
      const messages = await receiver.until(2)

      const track = await service.answer(200, 'GET', `/tracks/${track_id}`)
      assert.deepEqual(messages.map(({ type }) => type).sort(), ['track.created', 'track.finished'])
      for (const { data } of messages) assert.deepEqual(data, track)
    })

    test('tell of each imported track', async (t) => {
      const { service, receiver, create } = await arrange(t, database)
      await create()
      const points = makePoints(3).map(
        ({ latitude, longitude, timestamp }) =>
          `<trkpt lat="${latitude}" lon="${longitude}"><time>${timestamp}</time></trkpt>`,
      )
      const track = `<trk><trkseg>${points.join('')}</trkseg></trk>`

      const imported = await fetch(`${service.url}/tracks/import`, {
        method: 'POST',
        headers: { 'X-API-Key': service.token, 'Content-Type': 'application/gpx+xml' },
        body: `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${track}${track}</gpx>`,
      })

      assert.equal(imported.status, 201)
      const messages = await receiver.until(4)
      assert.deepEqual(messages.map(({ type }) => type).sort(), [
        'track.created',
        'track.created',
        'track.finished',
        'track.finished',
      ])
      for (const { data } of messages) assert.deepEqual(data, await service.answer(200, 'GET', `/tracks/${data.id}`))
    })

    test('send nothing for a track that is finished again, for another event, or for types that were not chosen', async (t) => {
      const { service, path, receiver, create } = await arrange(t, database)
      await create({ types: ['track.finished'] })
      const other = await service.createEvent('Other')
      const asOther = { 'X-API-Key': other.token }
      const { id } = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'a' })

      await service.answer(200, 'POST', `/tracks/${id}/finish`)
      await service.answer(200, 'POST', `/tracks/${id}/finish`)
      const body = { track: { device_track_id: 'o' }, points: [] }
      assert.equal((await service.request('POST', '/sync', body, asOther)).status, 201)
      const { webhooks } = await service.answer<{ webhooks: Webhook[] }>(200, 'GET', path)
      await service.answer(202, 'POST', `${path}/${webhooks[0].id}/test`)
      const messages = await receiver.until(2)

      assert.deepEqual(messages.map(({ type }) => type).sort(), ['track.finished', 'webhook.test'])
    })

    test('tell that a track is finished again after it was resumed', async (t) => {
      const { service, receiver, create } = await arrange(t, database)
      await create({ types: ['track.finished'] })
      const { id } = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'a' })
      await service.answer(200, 'POST', `/tracks/${id}/finish`)

      await service.answer(200, 'PATCH', `/tracks/${id}`, { state: 'running' })
      await service.answer(200, 'PATCH', `/tracks/${id}`, { state: 'stopped' })

      const messages = await receiver.until(2)
      assert.deepEqual(
        messages.map(({ data }) => data.state),
        ['stopped', 'stopped'],
      )
    })

    test('show the secret once, and never the one of before', async (t) => {
      const { service, path, create } = await arrange(t, database)

      const created = await create()
      const listed = await service.answer<{ webhooks: Webhook[] }>(200, 'GET', path)
      const patched = await service.answer<Webhook>(200, 'PATCH', `${path}/${created.id}`, { types: null })

      assert.match(created.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.deepEqual(
        listed.webhooks.map(({ id, secret }) => ({ id, secret })),
        [{ id: created.id, secret: undefined }],
      )
      assert.equal(patched.secret, undefined)
    })

    test('sign with both secrets while they are exchanged', async (t) => {
      const clock = adjustableClock()
      const { service, path, receiver, create } = await arrange(t, database, { now: clock.now })
      const first = await create()

      const second = await service.answer<Webhook>(200, 'POST', `${path}/${first.id}/secret`, { keep: '24h' })
      await service.answer(202, 'POST', `${path}/${first.id}/test`)
      const [during] = await receiver.until(1)
      clock.advance(25 * 3_600_000)
      await service.answer(202, 'POST', `${path}/${first.id}/test`)
      const [, after] = await receiver.until(2)

      assert.notEqual(second.secret, first.secret)
      assert.ok(second.former_secret_ends_at)
      for (const { secret } of [first, second]) verifyMessage(secret, during)
      assert.equal(during.headers['webhook-signature'].split(' ').length, 2)
      assert.equal(after.headers['webhook-signature'].split(' ').length, 1)
    })

    test('are tried again after 5 seconds, a minute and so on, and end after the ninth attempt', async (t) => {
      const clock = adjustableClock()
      const { service, path, receiver, create, log, wake } = await arrange(
        t,
        database,
        { now: clock.now },
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
        clock.advance(planned.at(-1)! + 1)
        wake()
      }

      const [ended] = await log(id)
      assert.deepEqual(
        planned.map((ms) => Math.round(ms / 1000)),
        [5, 60, 300, 1800, 7200, 21_600, 43_200, 86_400],
      )
      assert.equal(ended.status, 'failed')
      assert.equal(ended.next_attempt_at, null)
      assert.equal(ended.response_status, 500)
      assert.equal(ended.response_body, 'out of order')
      assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
    })

    test('are disabled by an answer of 410, and wait until they are enabled', async (t) => {
      const { service, path, receiver, create, log } = await arrange(t, database, {}, (response, _message, at) =>
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
        database,
        { now: clock.now },
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
      const { service, path, create, log } = await arrange(t, database, {}, (response) =>
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
      const { service, path, create, log } = await arrange(t, database, {}, (response) =>
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

    test('go to the address that was checked, whatever the name leads to a moment later', async (t) => {
      const inner = await startWebhookReceiver(t)
      const asked: string[] = []
      // The second answer leads elsewhere.
      const resolveName = async (name: string) => [asked.push(name) % 2 === 1 ? '10.0.0.1' : '127.0.0.1']
      const { service, path, create, log } = await arrange(t, database, {
        settings: { WEBHOOK_ALLOWED_NETWORKS: '192.0.2.0/24' },
        resolveName,
      })
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

    test('use one look-up of a name for the connection', async (t) => {
      const asked: string[] = []
      const resolveName = async (name: string) => [asked.push(name) === 1 ? '127.0.0.1' : '127.0.0.9']
      const { service, path, receiver, create } = await arrange(t, database, { resolveName })
      const { id } = await create({ url: receiver.url.replace('127.0.0.1', 'receiver.example') })

      await service.answer(202, 'POST', `${path}/${id}/test`)
      const [message] = await receiver.until(1)

      assert.match(message.headers.host, /^receiver\.example:/)
      assert.deepEqual(asked, ['receiver.example'])
    })

    test('are delivered once each by two instances', async (t) => {
      const { service, receiver, create } = await arrange(t, database)
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
      const { service, path, receiver, create, log } = await arrange(t, database, { now: clock.now })
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

    test('forget the texts of a deleted track once they are delivered', async (t) => {
      const { service, path, receiver, create, log } = await arrange(t, database)
      const { id } = await create()
      const track = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'a' })
      const [created] = await receiver.until(1)
      await until(
        () => log(id),
        ([found]) => found.status === 'delivered',
      )

      assert.equal((await service.asManager('DELETE', `/tracks/${track.id}`)).status, 204)

      const deliveries = `${path}/${id}/deliveries`
      await readProblem(await service.request('POST', `${deliveries}/${created.id}/redeliver`), 410, 'GONE')
      const [, deleted] = await receiver.until(2)
      await until(
        () => log(id),
        ([found]) => found.status === 'delivered',
      )
      await service.answer(202, 'POST', `${deliveries}/${deleted.id}/redeliver`)
    })

    test('are listed in pages and by status', async (t) => {
      const { service, path, receiver, create } = await arrange(t, database)
      const { id } = await create()
      for (let at = 0; at < 5; at++) await service.answer(202, 'POST', `${path}/${id}/test`)
      await receiver.until(5)
      type Page = { deliveries: Delivery[]; next_cursor: string | null }
      const log = `${path}/${id}/deliveries`

      await until(
        () => service.answer<Page>(200, 'GET', `${log}?status=delivered`),
        ({ deliveries }) => deliveries.length === 5,
      )
      const first = await service.answer<Page>(200, 'GET', `${log}?limit=3`)
      const second = await service.answer<Page>(200, 'GET', `${log}?limit=3&cursor=${first.next_cursor}`)
      const failed = await service.answer<Page>(200, 'GET', `${log}?status=failed`)

      assert.equal(new Set([...first.deliveries, ...second.deliveries].map((one) => one.id)).size, 5)
      assert.equal(second.next_cursor, null)
      assert.deepEqual(failed.deliveries, [])
      assert.equal((await service.request('GET', `${log}?cursor=nonsense`)).status, 400)
    })

    test('answer a repeated creation with the same webhook and secret', async (t) => {
      const { service, path, receiver } = await arrange(t, database)
      const send = () => service.request('POST', path, { url: receiver.url }, { 'Idempotency-Key': 'once' })

      const [first, again] = [await send(), await send()]

      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      const [one, same] = (await Promise.all([first.json(), again.json()])) as Webhook[]
      assert.deepEqual(same, one)
      const { db } = service.server.tracks!.deps
      const { answer } = await db.selectFrom('idempotency_keys').select('answer').executeTakeFirstOrThrow()
      assert.ok(!answer.includes('whsec_'))
    })

    const wrong: [string, object, string][] = [
      ['no URL', {}, 'url'],
      ['an inner address', { url: 'https://192.168.1.4/hook' }, 'url'],
      ['an inner address in disguise', { url: 'https://0x7f.1/hook' }, 'url'],
      ['an inner address in IPv6', { url: 'https://[::ffff:10.0.0.1]/hook' }, 'url'],
      ['a shared address', { url: 'https://100.64.0.1/hook' }, 'url'],
      ['a metadata address', { url: 'https://169.254.169.254/latest' }, 'url'],
      ['another protocol', { url: 'ftp://example.org/' }, 'url'],
      ['http where no networks are named', { url: 'http://example.org/' }, 'url'],
      ['a password in the URL', { url: 'https://u:p@example.org/' }, 'url'],
      ['an unknown type', { url: 'https://example.org/', types: ['track.moved'] }, 'types/0'],
      ['no types', { url: 'https://example.org/', types: [] }, 'types'],
      ['a text for enabled', { url: 'https://example.org/', enabled: 'yes' }, 'enabled'],
    ]
    test('refuse what they cannot use, and name it', async (t) => {
      const { service, path } = await arrange(t, database, { settings: {} })
      const good = await service.answer<Webhook>(201, 'POST', path, { url: 'https://example.org/' })

      for (const [name, body, place] of wrong) {
        const problem = await readProblem(await service.request('POST', path, body), 400, 'BAD_REQUEST')
        assert.equal((problem.errors as { path: string }[])[0].path, place, name)
        if (!('url' in body)) continue
        const changed = await readProblem(
          await service.request('PATCH', `${path}/${good.id}`, body),
          400,
          'BAD_REQUEST',
        )
        assert.equal((changed.errors as { path: string }[])[0].path, place, name)
      }
      const keep = await readProblem(
        await service.request('POST', `${path}/${good.id}/secret`, { keep: '2 weeks' }),
        400,
        'BAD_REQUEST',
      )
      assert.equal((keep.errors as { path: string }[])[0].path, 'keep')
    })

    test('of another event are not found', async (t) => {
      const { service, path, create } = await arrange(t, database)
      const { id } = await create()
      const other = `/operator/events/${(await service.createEvent('Other')).id}/webhooks`

      for (const [method, address, body] of [
        ['PATCH', `${other}/${id}`, {}],
        ['DELETE', `${other}/${id}`, undefined],
        ['POST', `${other}/${id}/test`, undefined],
        ['POST', `${other}/${id}/secret`, {}],
        ['GET', `${other}/${id}/deliveries`, undefined],
        ['POST', `${other}/${id}/deliveries/${randomUUID()}/redeliver`, undefined],
        ['GET', `${path}/none/deliveries`, undefined],
      ] as const) {
        const problem = await readProblem(await service.request(method, address, body), 404, 'NOT_FOUND')
        assert.equal(problem.detail, 'Webhook not found.', address)
      }
      const unknown = `${path}/${id}/deliveries/${randomUUID()}/redeliver`
      const problem = await readProblem(await service.request('POST', unknown), 404, 'NOT_FOUND')
      assert.equal(problem.detail, 'Delivery not found.')
    })

    test('are limited in number', async (t) => {
      const { service, path, create } = await arrange(t, database)
      for (let at = 0; at < 20; at++) await create()

      const problem = await readProblem(
        await service.request('POST', path, { url: 'https://example.org/' }),
        403,
        'FORBIDDEN',
      )

      assert.equal(problem.detail, 'There are as many webhooks as are allowed.')
    })

    test('are deleted with their log', async (t) => {
      const { service, receiver, path, create } = await arrange(t, database)
      const { id } = await create()
      await service.answer(202, 'POST', `${path}/${id}/test`)
      await receiver.until(1)

      await service.answer(204, 'DELETE', `${path}/${id}`)

      assert.deepEqual(await service.answer(200, 'GET', path), { webhooks: [] })
      const { db } = service.server.tracks!.deps
      assert.deepEqual(await db.selectFrom('webhook_deliveries').selectAll().execute(), [])
      assert.equal((await service.request('GET', `/operator/events/${randomUUID()}/webhooks`)).status, 404)
    })

    test('are managed with a token that has the permission manage, and with no other', async (t) => {
      const { service, receiver } = await arrange(t, database)
      const others = { 'X-API-Key': await service.createToken({ permissions: ['record', 'read'] }) }
      const id = randomUUID()

      const created = await service.asManager('POST', '/webhooks', { url: receiver.url })
      const webhook = (await created.json()) as Webhook
      const tested = await service.asManager('POST', `/webhooks/${webhook.id}/test`)
      await receiver.until(1)

      assert.deepEqual([created.status, tested.status], [201, 202])
      for (const [method, address] of [
        ['GET', '/webhooks'],
        ['POST', '/webhooks'],
        ['PATCH', `/webhooks/${id}`],
        ['DELETE', `/webhooks/${id}`],
        ['POST', `/webhooks/${id}/test`],
        ['POST', `/webhooks/${id}/secret`],
        ['GET', `/webhooks/${id}/deliveries`],
        ['POST', `/webhooks/${id}/deliveries/${id}/redeliver`],
      ] as const) {
        const problem = await readProblem(await service.request(method, address, undefined, others), 403, 'FORBIDDEN')
        assert.equal(problem.detail, 'The token does not have the permission manage.', address)
      }
    })

    test('of a token are those of its event', async (t) => {
      const { service, path, create } = await arrange(t, database)
      const { id } = await create()
      const other = await service.createEvent('Other')
      const manager = { 'X-API-Key': await service.createToken({ eventId: other.id }) }

      const own = await service.asManager('GET', '/webhooks')
      const foreign = await service.request('GET', '/webhooks', undefined, manager)
      const deleted = await service.request('DELETE', `/webhooks/${id}`, undefined, manager)

      assert.deepEqual(await own.json(), await service.answer(200, 'GET', path))
      assert.deepEqual(await foreign.json(), { webhooks: [] })
      assert.equal(deleted.status, 404)
    })

    test('end with their event', async (t) => {
      const { service, create } = await arrange(t, database)
      await create()

      await service.answer(204, 'DELETE', `/operator/events/${service.eventId}`)

      const { db } = service.server.tracks!.deps
      assert.deepEqual(await db.selectFrom('webhook_endpoints').selectAll().execute(), [])
    })

    test('keep their log for 14 days', async (t) => {
      const clock = adjustableClock()
      const { service, path, receiver, create, log } = await arrange(t, database, { now: clock.now })
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
}

type Answer = Parameters<typeof startWebhookReceiver>[1]

/** Starts the service and a receiver on this machine. */
async function arrange(t: TestContext, database: TestDatabase, options: ServiceOptions = {}, answer?: Answer) {
  const receiver: WebhookReceiver = await startWebhookReceiver(t, answer)
  const service = await startService(t, database, {
    services: ['tracks'],
    settings: LOOPBACK,
    signedIn: true,
    ...options,
  })
  const path = `/operator/events/${service.eventId}/webhooks`
  return {
    service,
    receiver,
    path,
    create: (fields: object = {}) => service.answer<Webhook>(201, 'POST', path, { url: receiver.url, ...fields }),
    async log(id: string): Promise<Delivery[]> {
      return (await service.answer<{ deliveries: Delivery[] }>(200, 'GET', `${path}/${id}/deliveries`)).deliveries
    },
    wake: () => service.server.tracks!.deps.webhooks.routeDeps.wake(),
  }
}

/** A clock that runs, and can be set forward. */
function adjustableClock() {
  let offsetMs = 0
  return { now: () => Date.now() + offsetMs, advance: (ms: number) => (offsetMs += ms) }
}

async function until<Result>(read: () => Promise<Result>, isDone: (result: Result) => boolean): Promise<Result> {
  for (;;) {
    const result = await read()
    if (isDone(result)) return result
    await wait(20)
  }
}
