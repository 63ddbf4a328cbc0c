import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { ApiKey, ShownApiKey } from '../../src/publications/library/api-keys.ts'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'

/** Requests that need `publish`, one to each endpoint. */
const CHANGES: [method: string, path: string, body?: unknown][] = [
  ['POST', '/publications/upload-url', { type: 'pdf' }],
  ['POST', '/publications', { title: 'x', storageKey: randomUUID(), pdfPath: 'x', sourceType: 'pdf' }],
  ['PATCH', '/publications/no-such-slug', { title: 7 }],
  ['PUT', '/publications/no-such-slug/file', {}],
  ['POST', '/publications/no-such-slug/unpublish'],
  ['POST', '/publications/no-such-slug/publish'],
  ['DELETE', '/publications/no-such-slug'],
]

describePublications('API keys of a workspace', { on: oneDatabase, signedIn: true }, async ({ service }) => {
  const { answer } = service
  const keysPath = `/operator/workspaces/${service.workspaceId}/keys`
  const send = (key: string, method: string, path: string, body?: unknown, from = service) =>
    from.request(method, path, body, { 'X-API-Key': key })
  const create = (body: object) => answer<ShownApiKey>(201, 'POST', keysPath, body)

  test('a key with read lists the publications, and gets 403 that names publish for all else', async () => {
    const { api_key } = await create({ permissions: ['read'] })

    assert.equal((await send(api_key!, 'GET', '/publications')).status, 200)
    for (const [method, path, body] of CHANGES) {
      const problem = await readProblem(await send(api_key!, method, path, body), 403, 'FORBIDDEN')
      assert.match(problem.detail, /publish/, path)
    }
  })

  test('a key with publish may do everything, and so may one that is created without a choice', async () => {
    for (const body of [{ permissions: ['publish'] }, {}, { permissions: null }]) {
      const { api_key } = await create(body)

      assert.equal((await send(api_key!, 'GET', '/publications')).status, 200)
      assert.equal((await send(api_key!, 'POST', '/publications/upload-url', { type: 'pdf' })).status, 200)
    }
  })

  test('is listed without its text, shown with it, and refused on every instance once it is revoked', async () => {
    const second = await service.startAnother()
    const created = await create({ label: 'Website', permissions: ['read'], keep_sec: 3600 })
    assert.equal(
      (await send(created.api_key!, 'GET', '/publications', undefined, second as typeof service)).status,
      200,
    )

    const { keys } = await answer<{ keys: ApiKey[] }>(200, 'GET', keysPath)
    const shown = await answer<ShownApiKey>(200, 'GET', `${keysPath}/${created.id}`)
    await answer(204, 'DELETE', `${keysPath}/${created.id}`)

    const listed = keys.find(({ id }) => id === created.id)!
    assert.deepEqual([listed.label, listed.permissions, listed.is_first], ['Website', ['read'], false])
    assert.ok(!JSON.stringify(keys).includes(created.api_key!))
    assert.equal(keys.filter(({ is_first }) => is_first).length, 1)
    assert.deepEqual(shown, created)
    for (const instance of [service, second as typeof service]) {
      await readProblem(await send(created.api_key!, 'GET', '/publications', undefined, instance), 401, 'UNAUTHORIZED')
    }
    await readProblem(await service.request('DELETE', `${keysPath}/${created.id}`), 404, 'NOT_FOUND')
    await readProblem(await service.request('GET', `${keysPath}/${created.id}`), 404, 'NOT_FOUND')
  })

  test('stays valid when the first key is replaced', async () => {
    const further = await create({})
    const { id, api_key } = await service.createWorkspace('Rotated')
    const path = `/operator/workspaces/${id}`
    const kept = await answer<ShownApiKey>(201, 'POST', `${path}/keys`, {})

    const replaced = await answer<{ api_key: string }>(201, 'POST', `${path}/key/rotate`, {})

    assert.equal((await send(api_key, 'GET', '/publications')).status, 401)
    assert.equal((await send(kept.api_key!, 'GET', '/publications')).status, 200)
    assert.equal((await answer<{ api_key: string }>(200, 'GET', `${path}/key`)).api_key, replaced.api_key)
    assert.equal((await send(further.api_key!, 'GET', '/publications')).status, 200)
  })

  test('shows when it was last used', async () => {
    const { id, api_key } = await create({})
    await send(api_key!, 'GET', '/publications')

    await service.server.publications!.deps.keyUse.write()

    const { keys } = await answer<{ keys: ApiKey[] }>(200, 'GET', keysPath)
    assert.ok(keys.find((key) => key.id === id)!.last_used_at)
  })

  test('answers 400 for wrong fields, and 404 for an unknown workspace', async () => {
    for (const body of [
      { permissions: ['manage'] },
      { permissions: [] },
      { permissions: 'read' },
      { keep_sec: 0 },
      { label: 7 },
    ]) {
      await readProblem(await service.request('POST', keysPath, body), 400, 'BAD_REQUEST')
    }
    for (const id of [randomUUID(), 'none']) {
      await readProblem(await service.request('POST', `/operator/workspaces/${id}/keys`, {}), 404, 'NOT_FOUND')
      await readProblem(await service.request('GET', `/operator/workspaces/${id}/keys`), 404, 'NOT_FOUND')
    }
  })
})
