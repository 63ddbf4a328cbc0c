import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { sweepUploads } from '../../src/publications/documents/upload-tickets.ts'
import { describePlaces } from '../support/publication-places.ts'
import { storedFiles } from '../support/stored-files.ts'
import { pdfOfSize, uploadRequests } from '../support/upload-requests.ts'

const HOUR_MS = 3_600_000

describePlaces('Remains of failed uploads', {}, async ({ service }) => {
  const { deps } = service.server.publications!
  const { ticket, put } = uploadRequests(service)
  const { documents } = storedFiles(service)

  const sweepIn = (hours: number) => sweepUploads({ ...deps, now: () => Date.now() + hours * HOUR_MS })

  async function storeWithoutRow(): Promise<string> {
    const key = `documents/${randomUUID()}.pdf`
    const draft = await deps.blobs.draft(Readable.from([pdfOfSize(20)]))
    await draft.commit(key)
    return key
  }

  test('stay while an upload could be in progress', async () => {
    const { storageKey } = await ticket()
    const key = await storeWithoutRow()

    const swept = await sweepIn(23)

    assert.deepEqual(swept, { tickets: 0, drafts: 0, files: 0 })
    assert.ok((await documents()).includes(key))
    assert.ok(await deps.uploads.find(service.workspaceId, storageKey))
  })

  test('are removed afterwards: unused tickets and unknown files', async () => {
    const unused = await ticket()
    const used = await ticket()
    await put(used.uploadUrl, pdfOfSize(50))
    const forgotten = await Promise.all([storeWithoutRow(), storeWithoutRow()])

    await sweepIn(27)

    assert.equal(await deps.uploads.find(service.workspaceId, unused.storageKey), undefined)
    const upload = await deps.uploads.find(service.workspaceId, used.storageKey)
    const left = await documents()
    assert.ok(left.includes(upload!.blob_key!))
    for (const key of forgotten) assert.ok(!left.includes(key))
  })

  test('are removed after a week: files that were not published, whose paths become free', async () => {
    const path = 'never/published.pdf'
    const upload = await ticket({ path })
    await put(upload.uploadUrl, pdfOfSize(50))
    const { blob_key } = (await deps.uploads.find(service.workspaceId, upload.storageKey))!

    await sweepIn(24 * 7 + 3)

    assert.equal(await deps.uploads.find(service.workspaceId, upload.storageKey), undefined)
    assert.equal(await deps.uploads.pathHolder(service.workspaceId, path), undefined)
    assert.ok(!(await documents()).includes(blob_key!))
  })

  test('do not include the file of a version, even if its upload is gone', async () => {
    const key = await storeWithoutRow()
    await deps.db.insertInto('versions').values(versionOf(key)).execute()

    await sweepIn(1000)

    assert.ok((await documents()).includes(key))
  })
})

function versionOf(blobKey: string) {
  return {
    id: randomUUID(),
    publication_id: randomUUID(),
    number: 1,
    storage_key: randomUUID(),
    blob_key: blobKey,
    size: 20,
    sha256: '',
    page_count: 1,
    facts: '{}',
    status: 'ready' as const,
    pages_ready: 1,
    failure: null,
    has_work: 0,
    lease_owner: null,
    lease_until: null,
    attempts: 0,
    created_at: 0,
    replaced_at: null,
  }
}
