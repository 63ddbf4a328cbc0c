import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { oneDatabase } from '../../test/support/databases.ts'
import { encrypted, numberedPages, outlined } from '../../test/support/make-pdf-examples.ts'
import { startService } from '../../test/support/start-service.ts'
import { publishAll, publishPdf } from './publish-pdf.ts'
import type { PublishOptions } from './read-arguments.ts'

const folder = mkdtempSync(join(tmpdir(), 'publish-'))
after(() => rmSync(folder, { recursive: true }))

function makeFile(name: string, content: Buffer | string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

/** Returns an address where nothing listens any more. */
async function unusedAddress(): Promise<string> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://localhost:${port}`
}

for (const database of oneDatabase) {
  describe(`publishPdf on ${database.name}`, async () => {
    const service = await startService({ after }, database, { services: ['publications'] })

    async function publish(path: string, given: Partial<PublishOptions> = {}, signal?: AbortSignal) {
      const written = { output: '', progress: '' }
      const terminals = {
        output: { write: (text: string) => (written.output += text) },
        progress: { write: (text: string) => (written.progress += text) },
      }
      const options = { path, title: 'A title', isDraft: false, server: service.url, apiKey: service.apiKey, ...given }
      await publishPdf(options, terminals, signal)
      return written
    }

    test('writes only the public address to its output, and progress elsewhere', async () => {
      const path = makeFile('three.pdf', numberedPages(3))

      const { output, progress } = await publish(path, { title: 'Three pages' })

      assert.equal(output, `${service.url}/p/three-pages\n`)
      assert.match(progress, /^Rendering .* 100 % {2}3 of 3 pages$/m)
      const response = await fetch(`${service.url}/publications/three-pages`)
      const publication = (await response.json()) as Record<string, unknown>
      assert.deepEqual([publication.title, publication.status, publication.pages_ready], ['Three pages', 'ready', 3])
    })

    test('saves a draft, which readers do not find', async () => {
      const { output, progress } = await publish(makeFile('draft.pdf', numberedPages(1)), {
        title: 'Not yet',
        isDraft: true,
      })

      assert.equal(output, `${service.url}/p/not-yet\n`)
      assert.match(progress, /Saved as a draft/)
      assert.equal((await fetch(output.trim())).status, 404)
    })

    const refused: [name: string, content: Buffer | string, reason: RegExp][] = [
      ['locked.pdf', encrypted(), /^The server refuses the publication: 422 UNPROCESSABLE, .*password/],
      ['text.pdf', 'Some text, and no PDF.', /^The server refuses the upload: 422 UNPROCESSABLE, .*not a PDF/],
      ['empty.pdf', '', /^The server refuses the upload: 400 BAD_REQUEST, .*empty/],
    ]
    for (const [name, content, message] of refused) {
      test(`says why ${name} is refused`, async () => {
        await assert.rejects(publish(makeFile(name, content)), { name: 'RefusedError', message })
      })
    }

    test('takes the title that the file states, or else its name', async () => {
      const stated = await publish(makeFile('one.pdf', outlined()), { title: undefined })
      const named = await publish(makeFile('Plan of 2026.pdf', numberedPages(1)), { title: undefined })

      assert.equal(stated.output, `${service.url}/p/ein-titel\n`)
      assert.equal(named.output, `${service.url}/p/plan-of-2026\n`)
    })

    test('goes on after files that are refused or missing, and names them', async () => {
      const written = { output: '', progress: '' }
      const terminals = {
        output: { write: (text: string) => (written.output += text) },
        progress: { write: (text: string) => (written.progress += text) },
      }
      const paths = [makeFile('text.pdf', 'No PDF.'), join(folder, 'gone.pdf'), makeFile('last.pdf', numberedPages(1))]
      const files = paths.map((path) => ({
        ...{ path, title: 'The last one', isDraft: false },
        ...{ server: service.url, apiKey: service.apiKey },
      }))

      const isWhole = await publishAll(files, terminals)

      assert.equal(isWhole, false)
      assert.equal(written.output, `${service.url}/p/the-last-one\n`)
      assert.match(written.progress, /text\.pdf: The server refuses the upload: 422/)
      assert.match(written.progress, /gone\.pdf: there is no such file\n/)
      assert.match(written.progress, /1 published, 2 not published\n$/)
      await publishAll(
        files.slice(1).map((file) => ({ ...file, isDraft: true })),
        terminals,
      )
      assert.match(written.progress, /1 saved as drafts, 1 not saved\n$/)
      const otherKey = files.map((file) => ({ ...file, apiKey: 'pub_other' }))
      await assert.rejects(publishAll(otherKey.slice(2).concat(otherKey), terminals), /401 UNAUTHORIZED/)
    })

    test('explains why a file cannot be read', async () => {
      await assert.rejects(publish(join(folder, 'none.pdf')), /none\.pdf: there is no such file$/)
      await assert.rejects(publish(folder), /is not a file$/)
    })

    test('reports a key of another server', async () => {
      const path = makeFile('one.pdf', numberedPages(1))

      await assert.rejects(
        publish(path, { apiKey: 'pub_other' }),
        /401 UNAUTHORIZED.*\nDoes the key belong to this server\?/,
      )
    })

    test('reports an absent server', async () => {
      const path = makeFile('one.pdf', numberedPages(1))

      const server = await unusedAddress()

      await assert.rejects(publish(path, { server }), {
        name: 'UnreachableError',
        message: `Nothing answers at ${server} (ECONNREFUSED). Start it with npm start, or say --server <address>.`,
      })
    })

    test('reports that it was stopped', async () => {
      const path = makeFile('one.pdf', numberedPages(1))

      await assert.rejects(publish(path, {}, AbortSignal.abort()), { name: 'PublishError', message: 'Stopped.' })
    })
  })
}
