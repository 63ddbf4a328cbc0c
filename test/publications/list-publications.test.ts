import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { answer, listPublications, publishPdf, untilRendered, type WirePublication } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

for (const database of databases) {
  describe(`GET /publications on ${database.name}`, async () => {
    const service = await startService({ after }, database, { services: ['publications'] })

    test('returns an empty array if there are none', async () => {
      const { api_key: apiKey } = await service.createWorkspace('Empty')

      assert.deepEqual(await listPublications(service, apiKey), [])
    })

    test('returns all publications of the workspace, newest first, including unpublished ones', async () => {
      const { api_key: apiKey } = await service.createWorkspace('Three')
      const created: WirePublication[] = []
      for (const title of ['One', 'Two', 'Three']) created.push(await publishPdf(service, { title, pages: 2, apiKey }))
      await answer(
        await service.request('POST', '/publications/two/unpublish', undefined, { 'X-API-Key': apiKey }),
        200,
      )

      const listed = await listPublications(service, apiKey)

      assert.deepEqual(
        listed.map(({ slug, id, page_count }) => [slug, id, page_count]),
        created.reverse().map(({ slug, id }) => [slug, id, 2]),
      )
      assert.deepEqual(
        listed.map(({ unpublished_at }) => unpublished_at !== null),
        [false, true, false],
      )
    })

    test('returns each publication in its current state', async () => {
      const { slug } = await publishPdf(service, { title: 'Standing', pages: 2 })
      const read = await untilRendered(service, slug)

      const listed = (await listPublications(service)).find((entry) => entry.slug === slug)!

      assert.equal(listed.status, 'ready')
      for (const [field, value] of Object.entries(listed))
        assert.deepEqual(value, read[field as keyof WirePublication], field)
    })
  })
}
