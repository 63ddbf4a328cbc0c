import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { listPublications, publishPdf, sendAs, untilRendered, uploadPdf } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

describeOn(oneDatabase, 'Workspaces', async (database) => {
  const service = await startService({ after }, database)
  const { api_key: otherKey } = await service.createWorkspace('Other')
  const asOther = sendAs(service, otherKey)

  /** Returns every request that changes a publication. */
  async function changes(slug: string): Promise<[method: string, path: string, body?: unknown][]> {
    const { storageKey, pdfPath } = await uploadPdf(service, { apiKey: otherKey })
    return [
      ['PATCH', `/publications/${slug}`, { title: 'Mine now', slug: 'mine-now' }],
      ['PATCH', `/publications/${slug}`, {}],
      ['POST', `/publications/${slug}/unpublish`],
      ['POST', `/publications/${slug}/publish`],
      ['PUT', `/publications/${slug}/file`, { storageKey, pdfPath }],
      ['DELETE', `/publications/${slug}`],
    ]
  }

  test('answer 404 to changes of publications of other workspaces, as for missing ones', async () => {
    const { slug } = await publishPdf(service, { title: 'Theirs' })
    const before = await untilRendered(service, slug)

    for (const [method, path, body] of [...(await changes(slug)), ...(await changes('nothing'))])
      await readProblem(await asOther(method, path, body), 404, 'NOT_FOUND')

    assert.deepEqual(await untilRendered(service, slug), before)
  })

  test('cannot read publications of other workspaces, except as readers', async () => {
    const { slug } = await publishPdf(service, { title: 'Listed' })

    const listed = await listPublications(service, otherKey)

    assert.deepEqual(listed, [])
    assert.equal((await asOther('GET', `/publications/${slug}`)).status, 200)
  })

  test('require a key for changes and lists', async () => {
    const { slug } = await publishPdf(service, { title: 'Locked' })
    const requests: [method: string, path: string, body?: unknown][] = [
      ...(await changes(slug)),
      ['GET', '/publications'],
      ['POST', '/publications', {}],
    ]

    for (const [method, path, body] of requests) {
      const init = { method, body: body === undefined ? undefined : JSON.stringify(body) }
      for (const headers of [{}, { 'X-API-Key': 'pub_wrong' }, { 'X-API-Key': service.token }]) {
        const type = { 'Content-Type': 'application/json' }
        const response = await fetch(service.url + path, { ...init, headers: { ...type, ...headers } })
        await readProblem(response, 401, 'UNAUTHORIZED')
        assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/)
      }
    }
  })
})
