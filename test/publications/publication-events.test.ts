import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { heldByAnother, storePublication } from '../support/store-publication.ts'

type Progress = { status: string; page_count: number; pages_ready: number }

function readEvents(text: string): Progress[] {
  const events = text.split('\n\n').filter((event) => event.startsWith('event: progress\n'))
  return events.map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)))
}

describePublications('GET /publications/:slug/events', { on: oneDatabase }, async ({ service }) => {
  const follow = (slug: string) => fetch(`${service.url}/publications/${slug}/events`)

  test('sends the progress of rendering until all pages are finished', async () => {
    const { slug } = await publishPdf(service, { pages: 30 })

    const answer = await follow(slug)
    const events = readEvents(await answer.text())

    assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.deepEqual(events.at(-1), { status: 'ready', page_count: 30, pages_ready: 30 })
    const counts = events.map(({ pages_ready }) => pages_ready)
    assert.ok(counts.length > 1)
    assert.deepEqual(
      counts,
      [...new Set(counts)].sort((a, b) => a - b),
    )
  })

  test('ends with the first event if nothing is left to render', async () => {
    const { slug } = await publishPdf(service, { pages: 1 })
    await untilRendered(service, slug)

    const events = readEvents(await (await follow(slug)).text())

    assert.deepEqual(events, [{ status: 'ready', page_count: 1, pages_ready: 1 }])
  })

  test('ends when the publication is deleted', async () => {
    const { slug } = await storePublication(service, { version: heldByAnother() })

    const answer = await follow(slug)
    await service.request('DELETE', `/publications/${slug}`)

    assert.deepEqual(readEvents(await answer.text()), [{ status: 'processing', page_count: 1, pages_ready: 0 }])
  })

  test('ends when the publication is unpublished', async () => {
    const { slug } = await storePublication(service, { version: heldByAnother() })

    const answer = await follow(slug)
    await service.request('POST', `/publications/${slug}/unpublish`)

    assert.deepEqual(readEvents(await answer.text()), [{ status: 'processing', page_count: 1, pages_ready: 0 }])
  })

  test('answers 404 for an unknown publication and 410 for an unpublished one', async () => {
    const { slug } = await storePublication(service, { publication: { unpublished_at: 1 } })

    const [unknown, withdrawn] = [await follow('never-published'), await follow(slug)]

    await readProblem(unknown, 404, 'NOT_FOUND')
    await readProblem(withdrawn, 410, 'GONE')
  })
})
