import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { LibraryEntry, LibraryPage } from '../../src/publications/library/library-schemas.ts'
import { s3Blobs } from '../support/blob-stores.ts'
import { databases, type Owner, type TestDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { flatPages } from '../support/make-pdf-examples.ts'
import { startLibrary } from '../support/operator-library.ts'
import { openEvents, type ReceivedEvent } from '../support/read-events.ts'

const isReady = ({ event }: ReceivedEvent) => event === 'ready'
const entry = ({ data }: ReceivedEvent) => data as LibraryEntry

/** A library and the instance that watches it: another one if the engine allows several. */
async function startPair(owner: Owner, database: TestDatabase) {
  if (database.name !== 'PostgreSQL') {
    const library = await startLibrary(owner, database)
    return { ...library, watchedUrl: library.service.url }
  }
  const library = await startLibrary(owner, database, { blobs: s3Blobs })
  const other = await library.service.startAnother()
  return { ...library, watchedUrl: other.url }
}

describeOn(databases, 'GET /operator/workspaces/:id/live', async (database, once) => {
  const { browser, ask, createWorkspace, publish, watchedUrl } = await startPair({ after }, database)

  async function watch(t: TestContext, workspaceId: string) {
    const url = `${watchedUrl}/operator/workspaces/${workspaceId}/live`
    const reader = await openEvents(url, undefined, browser.cookie)
    t.after(() => reader.close())
    await reader.until(isReady)
    return reader
  }

  once('sends the progress of a new publication up to its last page', async (t) => {
    const { id } = await createWorkspace()
    const events = await watch(t, id)

    const { slug } = await publish(id, 'Rendered', flatPages(30))
    const told = await events.until((event) => entry(event).pages_ready === 30)

    assert.ok(told.every(({ event, data }) => event === 'publication' && (data as LibraryEntry).slug === slug))
    const counts = told.map((event) => entry(event).pages_ready)
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => a - b),
    )
    assert.equal(entry(told.at(-1)!).status, 'ready')
  })

  test('sends changes as entries of the list, and deletions', async (t) => {
    const { id } = await createWorkspace()
    const { id: publicationId } = await publish(id, 'Old name')
    const events = await watch(t, id)

    await ask(200, 'PATCH', `/operator/publications/${publicationId}`, { title: 'New name' })
    await ask(200, 'POST', `/operator/publications/${publicationId}/unpublish`)
    const told = await events.until((event) => entry(event).unpublished_at !== null)
    const { publications } = await ask<LibraryPage>(200, 'GET', `/operator/workspaces/${id}/publications`)
    await ask(204, 'DELETE', `/operator/publications/${publicationId}`)
    const isDeletion = ({ event }: ReceivedEvent) => event === 'publication-deleted'
    const [deletion] = (await events.until(isDeletion)).slice(-1)
    await ask(204, 'POST', `/operator/bin/publications/${publicationId}/restore`)
    const restored = (await events.until(({ event }) => event === 'publication')).at(-1)!
    await ask(204, 'DELETE', `/operator/publications/${publicationId}`)
    await events.until(isDeletion)
    await ask(204, 'DELETE', `/operator/bin/publications/${publicationId}`)
    const [forGood] = await events.until(isDeletion)

    assert.equal(entry(told.at(-1)!).title, 'New name')
    assert.deepEqual(Object.keys(entry(told.at(-1)!)).sort(), Object.keys(publications[0]).sort())
    assert.deepEqual(deletion.data, { id: publicationId })
    assert.equal(entry(restored).title, 'New name')
    assert.deepEqual(forGood, deletion)
  })

  test('sends nothing about other workspaces', async (t) => {
    const [own, other] = [await createWorkspace(), await createWorkspace()]
    const events = await watch(t, own.id)

    await publish(other.id, 'Elsewhere')
    await publish(own.id, 'Here')
    const [first] = await events.until(({ event }) => event === 'publication')

    assert.equal(entry(first).title, 'Here')
  })

  test('ends when the workspace is deleted', async (t) => {
    const { id } = await createWorkspace()
    const events = await watch(t, id)

    await ask(204, 'DELETE', `/operator/workspaces/${id}`)

    await events.until(({ event }) => event === 'ended')
    assert.equal(await events.isEnded(), true)
  })
})
