import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { flatPages } from '../support/make-pdf-examples.ts'
import { readProblem } from '../support/problem.ts'
import { askForTicket, publishPdf, uploadPdf } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

const PDF = new Uint8Array(flatPages(1))

describeOn(databases, 'limits of a workspace', async (database) => {
  const start = async (t: Parameters<typeof startService>[0], limits: object) => {
    const service = await startService(t, database, { services: ['publications'], signedIn: true })
    const path = `/operator/workspaces/${service.workspaceId}`
    const workspace = await service.answer<Record<string, number>>(200, 'PATCH', path, limits)
    return { service, path, workspace }
  }
  const upload = async (uploadUrl: string) =>
    await fetch(uploadUrl, { method: 'PUT', headers: { 'Content-Type': 'application/pdf' }, body: PDF })

  test('are shown with what is used, and removed by null', async (t) => {
    const { service, path, workspace } = await start(t, { max_bytes: 1_000_000, max_publications: 5 })
    await publishPdf(service)

    const used = await service.answer<Record<string, number>>(200, 'GET', path)
    const without = await service.answer<Record<string, null>>(200, 'PATCH', path, { max_bytes: null })

    assert.deepEqual([workspace.max_bytes, workspace.max_publications], [1_000_000, 5])
    assert.deepEqual([used.stored_bytes, used.publications_count], [PDF.length, 1])
    assert.deepEqual([without.max_bytes, without.max_publications], [null, 5])
  })

  test('refuse uploads beyond the bytes, before and after they arrive, and tickets when they are full', async (t) => {
    const { service, path } = await start(t, { max_bytes: PDF.length * 2 - 1 })
    const tickets = [await askForTicket(service), await askForTicket(service)]
    assert.equal((await upload(tickets[0].uploadUrl)).status, 200)

    await readProblem(await upload(tickets[1].uploadUrl), 403, 'FORBIDDEN')
    const unannounced = new ReadableStream({
      start(controller) {
        controller.enqueue(PDF)
        controller.close()
      },
    })
    const chunked = await fetch(tickets[1].uploadUrl, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/pdf' },
      body: unannounced,
      duplex: 'half',
    } as RequestInit)
    await readProblem(chunked, 403, 'FORBIDDEN')
    await service.answer(200, 'PATCH', path, { max_bytes: PDF.length })
    const ticket = await service.request('POST', '/publications/upload-url', { type: 'pdf' })

    await readProblem(ticket, 403, 'FORBIDDEN')
  })

  test('are exact for concurrent uploads on two instances, and a deletion makes room', async (t) => {
    const { service, path } = await start(t, { max_bytes: PDF.length * 3 })
    const another = await service.startAnother()
    const tickets = await Promise.all(Array.from({ length: 8 }, () => askForTicket(service)))

    const answers = await Promise.all(
      tickets.map(({ uploadUrl }, i) => upload(uploadUrl.replace(service.url, i % 2 ? another.url : service.url))),
    )

    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [200, 200, 200, ...Array(5).fill(403)])
    const { stored_bytes } = await service.answer<{ stored_bytes: number }>(200, 'GET', path)
    assert.equal(stored_bytes, PDF.length * 3)
  })

  test('refuse publications beyond their number, and a deletion makes room', async (t) => {
    const { service } = await start(t, { max_publications: 2 })
    const bodies = await Promise.all([1, 2, 3, 4].map(() => uploadPdf(service)))

    const answers = await Promise.all(bodies.map((body) => service.request('POST', '/publications', body)))
    const refused = answers.filter(({ status }) => status !== 201)
    const created = answers.find(({ status }) => status === 201)!
    const { slug } = (await created.json()) as { slug: string }
    await service.answer(204, 'DELETE', `/publications/${slug}`)
    const afterwards = await service.request('POST', '/publications', bodies[answers.indexOf(refused[0])])

    assert.equal(refused.length, 2)
    for (const answer of refused) await readProblem(answer, 403, 'FORBIDDEN')
    assert.equal(afterwards.status, 201, await afterwards.text())
  })
})
