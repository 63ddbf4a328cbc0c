import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { imageAddresses } from '../support/read-page-image.ts'

describePublications('Rendering while the storage is unavailable', { on: oneDatabase }, async ({ service }) => {
  const { db, blobs } = service.server.publications!.deps

  test('continues when the storage recovers, without counting an attempt', async () => {
    const { id, slug } = await publishPdf(service, { pages: 40 })
    const [first] = await imageAddresses(service, slug)
    await (await fetch(first)).arrayBuffer()
    const version = () =>
      db.selectFrom('versions').selectAll().where('publication_id', '=', id).executeTakeFirstOrThrow()
    const drafts = join(dirname(blobs.localPath('some.pdf')!), '.drafts')

    await rename(drafts, `${drafts}-away`)
    let row = await version()
    // Released, to be claimed again later.
    while (row.lease_owner !== null || row.lease_until === null) {
      await wait(10)
      row = await version()
    }
    await rename(`${drafts}-away`, drafts)
    const { status, pages_ready, failed_pages } = await untilRendered(service, slug)

    assert.deepEqual([row.attempts, row.has_work], [0, 1])
    assert.ok(row.pages_ready < 40)
    assert.deepEqual([status, pages_ready, failed_pages], ['ready', 40, []])
  })
})
