import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { storePages } from '../support/public-pages.ts'
import { answer } from '../support/publish.ts'

type Found = {
  query: string
  hits: number
  pages_searched: number
  page_count: number
  pages: { page: number; hits: number }[]
  snippets: { page: number; text: string; from: number; to: number }[]
}

describePublications('GET /publications/:slug/search', { on: oneDatabase }, async ({ service }) => {
  const ask = (slug: string, query: string, headers = {}) =>
    fetch(`${service.url}/publications/${slug}/search?${query}`, { headers })

  test('returns the pages with hits, their number, and snippets', async () => {
    const pages = [{ text: "L'été est là.\n\nUn autre ÉTÉ." }, { text: 'Hiver' }, { text: "Un jour d'été" }]
    const { slug } = await storePages(service, { pages })

    const response = await ask(slug, 'q=ete')

    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const found = await answer<Found>(response, 200)
    assert.deepEqual([found.query, found.hits, found.pages_searched, found.page_count], ['ete', 3, 3, 3])
    assert.deepEqual(found.pages, [
      { page: 1, hits: 2 },
      { page: 3, hits: 1 },
    ])
    assert.deepEqual(
      found.snippets.map(({ page, text, from, to }) => [page, text.slice(from, to)]),
      [
        [1, 'été'],
        [1, 'ÉTÉ'],
        [3, 'été'],
      ],
    )
  })

  test('returns no hits for text that does not occur', async () => {
    const { slug } = await storePages(service)

    const found = await answer<Found>(await ask(slug, 'q=%25'), 200)

    assert.deepEqual([found.hits, found.pages, found.snippets], [0, [], []])
  })

  test('searches the rendered pages, and more once there are more', async () => {
    const { slug, versionId } = await storePages(service, { pages: [{ text: 'A word' }], pageCount: 2 })
    const first = await ask(slug, 'q=word')
    const headers = { 'If-None-Match': first.headers.get('etag')! }
    assert.equal((await ask(slug, 'q=word', headers)).status, 304)

    const { db } = service.server.publications!.deps
    const row = await db.selectFrom('pages').selectAll().where('version_id', '=', versionId).executeTakeFirstOrThrow()
    await db
      .insertInto('pages')
      .values({ ...row, page: 2 })
      .execute()
    await db.updateTable('versions').set({ pages_ready: 2 }).where('id', '=', versionId).execute()
    const second = await answer<Found>(await ask(slug, 'q=word', headers), 200)

    assert.deepEqual([(await answer<Found>(first, 200)).pages_searched, second.pages_searched], [1, 2])
    assert.deepEqual(second.pages.at(-1), { page: 2, hits: 1 })
  })

  test('returns snippets from a given page on', async () => {
    const { slug } = await storePages(service, { pages: [{ text: 'A word' }, { text: 'Another word' }] })

    const found = await answer<Found>(await ask(slug, 'q=word&from=2'), 200)

    assert.deepEqual([found.hits, found.snippets.map(({ page }) => page)], [2, [2]])
  })

  test('answers 400 to an invalid query, 404 to an unknown publication and 410 to an unpublished one', async () => {
    const { slug } = await storePages(service)
    const withdrawn = await storePages(service, { publication: { unpublished_at: 1 } })

    for (const query of ['', 'q=', `q=${'x'.repeat(201)}`, 'q=a&from=0'])
      await readProblem(await ask(slug, query), 400, 'BAD_REQUEST')
    await readProblem(await ask('unknown', 'q=a'), 404, 'NOT_FOUND')
    await readProblem(await ask(withdrawn.slug, 'q=a'), 410, 'GONE')
  })
})
