import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { createEndpointsStore } from '#platform/webhooks/endpoints-store.ts'
import type { WebhookTables } from '#platform/webhooks/tables.ts'
import { lockEvent } from '../../src/tracks/model/events-store.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { arrange, type Delivery, openEvent, startForWebhooks, until, type Webhook } from '../support/event-webhooks.ts'
import { readProblem } from '../support/problem.ts'

describeOn(databases, 'webhooks of an event', async (database, once) => {
  const shared = await startForWebhooks({ after }, database)

  test('show the secret once, and never the one of before', async (t) => {
    const { service, path, create } = await openEvent(t, shared)

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

  test('are listed in pages and by status', async (t) => {
    const { service, path, receiver, create } = await openEvent(t, shared)
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
    const { service, path, receiver } = await openEvent(t, shared)
    const send = () => service.request('POST', path, { url: receiver.url }, { 'Idempotency-Key': 'once' })

    const [first, again] = [await send(), await send()]

    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    const [one, same] = (await Promise.all([first.json(), again.json()])) as Webhook[]
    assert.deepEqual(same, one)
    const { db } = service.server.tracks!.deps
    const kept = await db.selectFrom('idempotency_keys').select('answer').execute()
    assert.ok(kept.length > 0 && kept.every(({ answer }) => !answer.includes('whsec_')))
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
  once('refuse what they cannot use, and name it', async (t) => {
    const { service, path } = await arrange(t, await startForWebhooks(t, database, { settings: {} }))
    const good = await service.answer<Webhook>(201, 'POST', path, { url: 'https://example.org/' })

    for (const [name, body, place] of wrong) {
      const problem = await readProblem(await service.request('POST', path, body), 400, 'BAD_REQUEST')
      assert.equal((problem.errors as { path: string }[])[0].path, place, name)
      if (!('url' in body)) continue
      const changed = await readProblem(await service.request('PATCH', `${path}/${good.id}`, body), 400, 'BAD_REQUEST')
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
    const { service, path, create } = await openEvent(t, shared)
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

  test('are limited in number, also while another instance adds one', async (t) => {
    const { service } = await openEvent(t, shared)
    const { db } = service.server.tracks!.deps
    const add = () => service.asManager('POST', '/webhooks', { url: 'https://example.org/' })
    for (let i = 0; i < 19; i++) assert.equal((await add()).status, 201)
    const [row] = await createEndpointsStore(db as unknown as Kysely<WebhookTables>).list(service.eventId)
    let answer: Promise<Response> | undefined

    await inTransaction(db, async (transaction) => {
      await lockEvent(transaction, service.eventId)
      await transaction
        .insertInto('webhook_endpoints')
        .values({ ...row, id: randomUUID() })
        .execute()
      answer = add()
      // It waits for the end of this transaction; without the lock, it would be over long before.
      await Promise.race([answer, wait(300)])
    })

    const problem = await readProblem(await answer!, 403, 'FORBIDDEN')
    assert.equal(problem.detail, 'The limit of webhooks has been reached.')
  })

  once('are tested and sent again thirty times a minute, and no more', async (t) => {
    const { service, path, receiver, create } = await openEvent(t, shared)
    const { id } = await create()
    for (let at = 0; at < 30; at++) await service.answer(202, 'POST', `${path}/${id}/test`)
    const [{ id: message }] = await receiver.until(1)

    for (const address of [`${path}/${id}/test`, `${path}/${id}/deliveries/${message}/redeliver`]) {
      const refused = await service.request('POST', address)
      const problem = await readProblem(refused, 429, 'RATE_LIMIT')
      const retryAfterSec = Number(refused.headers.get('retry-after'))
      assert.ok(retryAfterSec > 30 && retryAfterSec <= 62, `${retryAfterSec}`)
      assert.match(String(problem.detail), /^More than 30 tests and redeliveries in a minute; try again in \d+ s\.$/)
    }
  })

  test('are deleted with their log', async (t) => {
    const { service, receiver, path, create } = await openEvent(t, shared)
    const { id } = await create()
    await service.answer(202, 'POST', `${path}/${id}/test`)
    await receiver.until(1)

    await service.answer(204, 'DELETE', `${path}/${id}`)

    assert.deepEqual(await service.answer(200, 'GET', path), { webhooks: [] })
    const { db } = service.server.tracks!.deps
    const ofIt = db.selectFrom('webhook_deliveries').where('endpoint_id', '=', id)
    assert.deepEqual(await ofIt.selectAll().execute(), [])
    assert.equal((await service.request('GET', `/operator/events/${randomUUID()}/webhooks`)).status, 404)
  })

  test('are managed with a token that has the permission manage, and with no other', async (t) => {
    const { service, receiver } = await openEvent(t, shared)
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
    const { service, path, create } = await openEvent(t, shared)
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
    const { service, create } = await openEvent(t, shared)
    const { id } = await create()

    await service.answer(204, 'DELETE', `/operator/events/${service.eventId}`)
    await service.answer(204, 'DELETE', `/operator/bin/events/${service.eventId}`)

    const { db } = service.server.tracks!.deps
    assert.deepEqual(await db.selectFrom('webhook_endpoints').where('id', '=', id).selectAll().execute(), [])
  })
})
