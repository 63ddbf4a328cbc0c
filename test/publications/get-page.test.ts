import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { storePages } from '../support/public-pages.ts'

const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.04 }
const words = [{ text: 'Größe', line: 0, ...box }]
const links = [
  { ...box, page: 2 },
  { ...box, uri: 'https://example.org/' },
]

describePublications('GET /publications/:slug/pages/:page', { on: oneDatabase }, async ({ service }) => {
  test('returns the words and links of a page with their positions, and its text', async () => {
    const { slug } = await storePages(service, { pages: [{}, { text: 'Größe', words, links }] })

    const response = await fetch(`${service.url}/publications/${slug}/pages/2`)

    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), {
      page: 2,
      text: 'Größe',
      text_source: 'file',
      words,
      links,
      comments: [],
    })
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
  })

  test('answers 304 to a known ETag, and 200 after a new version', async () => {
    const { id, slug } = await storePages(service, { pages: [{ text: 'Old' }] })
    const later = await storePages(service, { pages: [{ text: 'New' }] })
    const address = `${service.url}/publications/${slug}/pages/1`
    const headers = { 'If-None-Match': (await fetch(address)).headers.get('etag')! }
    const again = await fetch(address, { headers })

    const { db } = service.server.publications!.deps
    await db.updateTable('publications').set({ version_id: later.versionId }).where('id', '=', id).execute()
    const changed = await fetch(address, { headers })

    assert.equal(again.status, 304)
    assert.equal(((await changed.json()) as { text: string }).text, 'New')
  })

  test('answers 503 with Retry-After while the page is not rendered', async () => {
    const { slug } = await storePages(service, { pages: [{}], pageCount: 2 })

    const response = await fetch(`${service.url}/publications/${slug}/pages/2`)

    await readProblem(response, 503, 'UNAVAILABLE')
    assert.equal(response.headers.get('retry-after'), '2')
  })

  test('answers 404 for a missing page or publication, and 410 for an unpublished publication', async () => {
    const { slug } = await storePages(service)
    const withdrawn = await storePages(service, { publication: { unpublished_at: 1 } })

    for (const path of [`${slug}/pages/2`, `${slug}/pages/0`, `${slug}/pages/01`, `${slug}/pages/x`, 'unknown/pages/1'])
      await readProblem(await fetch(`${service.url}/publications/${path}`), 404, 'NOT_FOUND')
    await readProblem(await fetch(`${service.url}/publications/${withdrawn.slug}/pages/1`), 410, 'GONE')
  })
})
