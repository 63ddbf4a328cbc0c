import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases, type TestDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { publishPdf, untilRendered, uploadPdf } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'
import { startWebhookReceiver, verifyMessage } from '../support/webhook-receiver.ts'

type Webhook = { id: string; secret: string; types: string[] | null }

describeOn(databases, 'webhooks of a workspace', (database, once) => {
  test('tell of publications that are ready, unpublished and deleted, as their owner reads them', async (t) => {
    const { service, receiver, create } = await arrange(t, database)
    const { secret } = await create()

    const { id, slug } = await publishPdf(service, { title: 'A report' })
    const [ready] = await receiver.until(1)
    await untilRendered(service, slug)
    const unpublished = await service.answer(200, 'POST', `/publications/${slug}/unpublish`)
    await service.answer(200, 'POST', `/publications/${slug}/unpublish`)
    const [, told] = await receiver.until(2)
    await service.answer(204, 'DELETE', `/publications/${slug}`)
    const [, , deleted] = await receiver.until(3)

    assert.equal(ready.type, 'publication.ready')
    assert.equal(ready.data.id, id)
    assert.equal(ready.data.status, 'ready')
    assert.deepEqual(Object.keys(ready.data), Object.keys(unpublished as object))
    assert.equal(told.type, 'publication.unpublished')
    assert.deepEqual(told.data, unpublished)
    assert.equal(deleted.type, 'publication.deleted')
    assert.deepEqual(deleted.data, { id })
    for (const message of receiver.received) verifyMessage(secret, message)
  })

  test('tell of a publication in the bin as of a deleted one, and as of a new one when it is restored', async (t) => {
    const { service, receiver, create } = await arrange(t, database)
    await create()
    const { id, slug } = await publishPdf(service)
    await receiver.until(1)

    await service.answer(204, 'DELETE', `/operator/publications/${id}`)
    await receiver.until(2)
    await service.answer(204, 'POST', `/operator/bin/publications/${id}/restore`)
    const [, deleted, restored] = await receiver.until(3)

    assert.deepEqual([deleted.type, deleted.data], ['publication.deleted', { id }])
    assert.deepEqual([restored.type, restored.data.slug], ['publication.ready', slug])
  })

  once('tell of a new file when it is ready', async (t) => {
    const { service, receiver, create } = await arrange(t, database)
    await create({ types: ['publication.ready'] })
    const { slug } = await publishPdf(service)
    await receiver.until(1)

    const { storageKey, pdfPath } = await uploadPdf(service, { pages: 2 })
    await service.answer(200, 'PUT', `/publications/${slug}/file`, { storageKey, pdfPath })

    const [first, second] = await receiver.until(2)
    assert.deepEqual([first.data.page_count, second.data.page_count], [1, 2])
  })

  once('tell of a document that cannot be rendered', async (t) => {
    const { service, receiver, create } = await arrange(t, database)
    await create()
    const { db, rendering } = service.server.publications!.deps
    await rendering.renderQueue.close()
    const { id } = await publishPdf(service)

    // As after a document that ended its renderer time and again.
    const version = await db.selectFrom('versions').select('id').executeTakeFirstOrThrow()
    await db.updateTable('versions').set({ attempts: 6, lease_until: null }).where('id', '=', version.id).execute()
    await service.startAnother()

    const [failed] = await receiver.until(1)
    assert.equal(failed.type, 'publication.failed')
    assert.equal(failed.data.id, id)
    assert.equal((failed.data.failure as { code: string }).code, 'crashed')
    assert.equal((failed.data.failed_pages as unknown[]).length, 1)
  })

  once('say nothing to other workspaces', async (t) => {
    const { service, receiver, create } = await arrange(t, database)
    const { id } = await create()
    const { api_key } = await service.createWorkspace('Other')

    const { slug } = await publishPdf(service, { apiKey: api_key })
    await untilRendered(service, slug)
    await service.answer(202, 'POST', `${service.path}/${id}/test`)
    await receiver.until(1)
    await wait(1_200)

    assert.deepEqual(
      receiver.received.map(({ type }) => type),
      ['webhook.test'],
    )
  })

  test('are managed by operators', async (t) => {
    const { service, create } = await arrange(t, database)
    const { id } = await create({ types: ['publication.deleted'] })

    const changed = await service.answer<Webhook>(200, 'PATCH', `${service.path}/${id}`, { types: null })
    const wrong = await service.request('POST', service.path, {
      url: 'https://example.org/',
      types: ['track.created'],
    })
    await service.answer(204, 'DELETE', `${service.path}/${id}`)

    assert.equal(changed.types, null)
    assert.equal(wrong.status, 400)
    assert.deepEqual(await service.answer(200, 'GET', service.path), { webhooks: [] })
    assert.equal((await service.request('GET', `/operator/workspaces/${randomUUID()}/webhooks`)).status, 404)
  })

  test('are managed with a key that may publish, and with no other', async (t) => {
    const { service, receiver } = await arrange(t, database)
    const path = '/publications/webhooks'

    const { id } = await service.answer<Webhook>(201, 'POST', path, { url: receiver.url })
    await service.answer(202, 'POST', `${path}/${id}/test`)
    await receiver.until(1)
    const foreign = await service.request('DELETE', `${path}/${id}`, undefined, await otherKey('publish,read'))
    const refused = await service.request('GET', path, undefined, await otherKey('read'))

    async function otherKey(permissions: string) {
      const created = await service.createWorkspace('Other')
      const { db } = service.server.publications!.deps
      await db.updateTable('api_keys').set({ permissions }).where('workspace_id', '=', created.id).execute()
      return { 'X-API-Key': created.api_key }
    }

    assert.equal(foreign.status, 404)
    const problem = await readProblem(refused, 403, 'FORBIDDEN')
    assert.equal(problem.detail, 'The token does not have the permission publish.')
  })

  test('end with their workspace', async (t) => {
    const { service, create } = await arrange(t, database)
    await create()

    await service.answer(204, 'DELETE', `/operator/workspaces/${service.workspaceId}`)

    const { db } = service.server.publications!.deps
    assert.deepEqual(await db.selectFrom('webhook_endpoints').selectAll().execute(), [])
  })
})

/** Starts the service and a receiver on this machine. */
async function arrange(t: TestContext, database: TestDatabase) {
  const receiver = await startWebhookReceiver(t)
  const service = await startService(t, database, {
    services: ['publications'],
    settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    signedIn: true,
  })
  const path = `/operator/workspaces/${service.workspaceId}/webhooks`
  return {
    service: Object.assign(service, { path }),
    receiver,
    create: (fields: object = {}) => service.answer<Webhook>(201, 'POST', path, { url: receiver.url, ...fields }),
  }
}
