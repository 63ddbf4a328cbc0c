import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { WorkspaceKey } from '../../src/publications/library/api-keys.ts'
import type { OperatorWorkspace, OperatorWorkspaceList } from '../../src/publications/library/workspaces.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { startLibrary } from '../support/operator-library.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'

describeOn(databases, "an operator's workspaces", async (database) => {
  const { service, browser, ask, createWorkspace, publish } = await startLibrary({ after }, database)
  const statusWith = async (apiKey: string) =>
    (await service.request('GET', '/publications', undefined, { 'X-API-Key': apiKey })).status

  test('creates a workspace with a key in plain text that works at once', async () => {
    const workspace = await createWorkspace(' Press office ')

    assert.equal(workspace.name, 'Press office')
    assert.match(workspace.api_key, /^pub_/)
    assert.equal(await statusWith(workspace.api_key), 200)
  })

  test('lists every workspace with counts of its contents, newest first', async () => {
    const { id } = await createWorkspace()
    const { size } = await publish(id, 'A report')

    const { workspaces } = await ask<OperatorWorkspaceList>(200, 'GET', '/operator/workspaces')

    const { publications_count, stored_bytes } = workspaces[0]
    assert.deepEqual({ publications_count, stored_bytes }, { publications_count: 1, stored_bytes: size })
    assert.equal(workspaces[0].id, id)
    const alone = await ask<OperatorWorkspace>(200, 'GET', `/operator/workspaces/${id}`)
    assert.equal(alone.stored_bytes, size)
  })

  test('renames a workspace, and changes nothing without a name', async () => {
    const { id } = await createWorkspace()

    // Members that no schema has, among them the names of columns, are ignored.
    const others = { id: randomUUID(), created_at: 0, unknown: 1 }
    await ask(200, 'PATCH', `/operator/workspaces/${id}`, { name: 'New name', ...others })
    const workspace = await ask<OperatorWorkspace>(200, 'PATCH', `/operator/workspaces/${id}`, others)

    assert.deepEqual([workspace.name, workspace.id], ['New name', id])
  })

  test('refuses an empty name', async () => {
    for (const name of ['', '   ', 'x'.repeat(201)]) {
      assert.deepEqual(await wrongPlaces(await browser.request('POST', '/operator/workspaces', { name })), ['name'])
    }
  })

  test('shows the key again', async () => {
    const { id, api_key } = await createWorkspace()

    const key = await ask<WorkspaceKey>(200, 'GET', `/operator/workspaces/${id}/key`)

    assert.equal(key.api_key, api_key)
    assert.deepEqual(key.ending, [])
  })

  test('replaces the old key at once', async () => {
    const { id, api_key } = await createWorkspace()

    const fresh = await ask<WorkspaceKey>(201, 'POST', `/operator/workspaces/${id}/key/rotate`, {})

    assert.notEqual(fresh.api_key, api_key)
    assert.equal(await statusWith(api_key), 401)
    assert.equal(await statusWith(fresh.api_key!), 200)
  })

  test('keeps the old key valid for the requested time, and lists it', async () => {
    const { id, api_key } = await createWorkspace()

    const rotated = await ask<WorkspaceKey>(201, 'POST', `/operator/workspaces/${id}/key/rotate`, { keep_sec: 3600 })

    assert.equal(await statusWith(api_key), 200)
    const [{ masked, expires_at }] = rotated.ending
    assert.equal(masked, `${api_key.slice(0, 8)}…${api_key.slice(-4)}`)
    assert.ok(Date.parse(expires_at) - Date.now() > 3_500_000)
  })

  test('ends an old key at the time that was set first, although the key is replaced again', async () => {
    const { id } = await createWorkspace()
    const replace = (keepSec: number) =>
      ask<WorkspaceKey>(201, 'POST', `/operator/workspaces/${id}/key/rotate`, { keep_sec: keepSec })

    const first = await replace(60)
    const second = await replace(3600)

    const ends = second.ending.map(({ expires_at }) => expires_at).sort()
    assert.equal(ends.length, 2)
    assert.equal(ends[0], first.ending[0].expires_at)
  })

  test('deletes a workspace with its key and its publications', async () => {
    const { id, api_key } = await createWorkspace()
    const { slug, id: publicationId } = await publish(id, 'To be deleted')

    await ask(204, 'DELETE', `/operator/workspaces/${id}`)

    assert.equal(await statusWith(api_key), 401)
    assert.equal((await fetch(`${service.url}/p/${slug}`)).status, 404)
    for (const path of [`workspaces/${id}`, `workspaces/${id}/key`, `publications/${publicationId}`]) {
      await readProblem(await browser.request('GET', `/operator/${path}`), 404, 'NOT_FOUND')
    }
  })

  test('answers 404 for workspaces that do not exist', async () => {
    for (const id of [randomUUID(), 'none', '%00']) {
      await readProblem(await browser.request('GET', `/operator/workspaces/${id}`), 404, 'NOT_FOUND')
      await readProblem(await browser.request('DELETE', `/operator/workspaces/${id}`), 404, 'NOT_FOUND')
      await readProblem(await browser.request('PATCH', `/operator/workspaces/${id}`, { name: 'x' }), 404, 'NOT_FOUND')
    }
  })
})
