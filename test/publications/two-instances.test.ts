import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { s3Blobs } from '../support/blob-stores.ts'
import { databases, type TestDatabase } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { imageAddresses, readPageImage } from '../support/read-page-image.ts'
import { startService } from '../support/start-service.ts'

/** Starts two instances on one database and one bucket. The first creates the workspace. */
async function startPair(t: TestContext, database: TestDatabase) {
  const one = await startService(t, database, { services: ['publications'], blobs: s3Blobs })
  return { one, other: await one.startAnother() }
}

/** Returns the same address on another instance. */
function at({ url }: { url: string }, address: string): string {
  return url + new URL(address).pathname
}

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  describe('Two instances on one PostgreSQL database and one bucket', () => {
    test('one serves and reports what the other renders', async (t) => {
      const { one, other } = await startPair(t, database)
      const { slug } = await publishPdf(one, { pages: 40 })
      const addresses = await imageAddresses(one, slug)

      const [last, larger, events] = await Promise.all([
        fetch(at(other, addresses[39])),
        fetch(`${at(other, addresses[0])}/2400.webp`),
        fetch(`${other.url}/publications/${slug}/events`).then((answer) => answer.text()),
      ])

      assert.deepEqual([last.status, larger.status], [200, 200])
      assert.equal((await readPageImage(last)).format, 'jpeg')
      assert.equal((await readPageImage(larger)).width, 2400)
      assert.match(events, /"status":"ready","page_count":40,"pages_ready":40\}\n\n$/)
      const { pages_ready } = await untilRendered(one, slug)
      assert.equal(pages_ready, 40)
    })

    test('one continues the work that the other left', async (t) => {
      const { one, other } = await startPair(t, database)
      const { slug } = await publishPdf(one, { pages: 100 })
      const [first] = await imageAddresses(one, slug)
      await (await fetch(first)).arrayBuffer()

      await one.server.close()
      const events = await (await fetch(`${other.url}/publications/${slug}/events`)).text()

      assert.match(events, /"status":"ready","page_count":100,"pages_ready":100\}\n\n$/)
    })

    test('refuse at once what was unpublished on the other', async (t) => {
      const { one, other } = await startPair(t, database)
      const { slug } = await publishPdf(one)
      await untilRendered(one, slug)
      const [address] = await imageAddresses(one, slug)
      await (await fetch(at(other, address))).arrayBuffer()

      await one.request('POST', `/publications/${slug}/unpublish`)
      let answer = await fetch(at(other, address))
      // The notice takes a moment to arrive.
      while (answer.status === 200) answer = await fetch(at(other, address))

      await readProblem(answer, 410, 'GONE')
    })

    test('refuse at once what was restricted on the other', async (t) => {
      const { one, other } = await startPair(t, database)
      const { slug } = await publishPdf(one)
      await untilRendered(one, slug)
      const [address] = await imageAddresses(one, slug)
      await (await fetch(at(other, address))).arrayBuffer()

      await one.request('PATCH', `/publications/${slug}`, { access: 'restricted' })
      let answer = await fetch(at(other, address))
      // The notice takes a moment to arrive.
      while (answer.status === 200) answer = await fetch(at(other, address))

      await readProblem(answer, 404, 'NOT_FOUND')
    })
  })
}
