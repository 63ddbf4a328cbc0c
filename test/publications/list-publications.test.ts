import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PublicationSummary } from '../../src/publications/model/publication-answer-schemas.ts'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { answer, listPublications, publishPdf, untilRendered, type WirePublication } from '../support/publish.ts'
import { storeManyPublications } from '../support/store-publication.ts'

/** More than three reads of the list. */
const MANY = 800

/** Reads a response as far as it comes, and tells whether it came whole. */
async function readAsFarAsItComes(response: Response): Promise<{ text: string; isWhole: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of response.body!) text += decoder.decode(bytes, { stream: true })
    return { text, isWhole: true }
  } catch {
    return { text, isWhole: false }
  }
}

const slugsOf = (publications: readonly { slug: string }[]) => publications.map(({ slug }) => slug)

describePublications('GET /publications', { on: oneDatabase }, async ({ service }) => {
  test('returns an empty array if there are none', async () => {
    const { api_key: apiKey } = await service.createWorkspace('Empty')

    assert.deepEqual(await listPublications(service, apiKey), [])
  })

  test('returns all publications of the workspace, newest first, including unpublished ones', async () => {
    const { api_key: apiKey } = await service.createWorkspace('Three')
    const created: WirePublication[] = []
    for (const title of ['One', 'Two', 'Three']) created.push(await publishPdf(service, { title, pages: 2, apiKey }))
    await answer(await service.request('POST', '/publications/two/unpublish', undefined, { 'X-API-Key': apiKey }), 200)

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

  test('returns thousands in the same form and order', async () => {
    const { id: workspaceId, api_key: apiKey } = await service.createWorkspace('Many')
    const stored = await storeManyPublications(service, workspaceId, MANY)

    const listed = await listPublications(service, apiKey)

    assert.deepEqual(slugsOf(listed), stored.toReversed())
    for (const publication of listed)
      assert.deepEqual(Object.keys(publication), Object.keys(PublicationSummary.properties))
  })

  test('returns a publication once that is there all the time, whatever changes meanwhile', async () => {
    const { id: workspaceId } = await service.createWorkspace('Busy')
    const stored = await storeManyPublications(service, workspaceId, 30)
    const { db, library, publications } = service.server.publications!.deps
    const newest = { sort: 'created' as const, descending: true }

    const first = await library.search(workspaceId, {}, { ...newest, after: undefined, limit: 10 })
    const after = { key: first[9].created_at, id: first[9].id }
    await storeManyPublications(service, workspaceId, 5, { created_at: Date.now() })
    await db.updateTable('publications').set({ updated_at: Date.now() }).where('slug', '=', stored[3]).execute()
    for (const slug of [stored[5], stored[25]]) await publications.delete(workspaceId, slug)
    const rest = await library.search(workspaceId, {}, { ...newest, after, limit: 100 })

    const expected = stored.toReversed().filter((slug) => slug !== stored[5])
    assert.deepEqual(slugsOf([...first, ...rest]), expected)
  })

  test('breaks off without the end of the array if it fails midway', async () => {
    const { id: workspaceId, api_key: apiKey } = await service.createWorkspace('Damaged')
    const [oldest] = await storeManyPublications(service, workspaceId, MANY)
    const { db } = service.server.publications!.deps
    const damaged = db.selectFrom('publications').select('version_id').where('slug', '=', oldest)
    await db.updateTable('versions').set({ failure: 'damaged' }).where('id', '=', damaged).execute()

    const response = await service.request('GET', '/publications', undefined, { 'X-API-Key': apiKey })
    const { text, isWhole } = await readAsFarAsItComes(response)

    assert.equal(isWhole, false)
    assert.throws(() => JSON.parse(text), SyntaxError)
  })
})
