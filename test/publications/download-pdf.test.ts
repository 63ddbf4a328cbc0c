import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { startService } from '../support/start-service.ts'
import { storePublication } from '../support/store-publication.ts'

for (const database of databases) {
  describe(`GET /publications/:slug/download on ${database.name}`, async () => {
    const service = await startService({ after }, database, { services: ['publications'] })
    const download = async (slug: string) =>
      await fetch(`${service.url}/publications/${slug}/download`, { redirect: 'manual' })

    test('redirects with 302 to the file, which is saved under the title', async () => {
      const { slug, pdf, versionId } = await storePublication(service, { title: 'Été à Évian' })

      const response = await download(slug)

      assert.equal(response.status, 302)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      const address = response.headers.get('location') ?? ''
      assert.ok(address.startsWith(`${service.url}/files/${versionId}?`))
      const file = await fetch(address)
      assert.equal(
        file.headers.get('content-disposition'),
        `attachment; filename="Ete a Evian.pdf"; filename*=UTF-8''%C3%89t%C3%A9%20%C3%A0%20%C3%89vian.pdf`,
      )
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), pdf)
    })

    test('redirects HEAD in the same way', async () => {
      const { slug } = await storePublication(service)

      const { status, headers } = await sendBytes(`${service.url}/publications/${slug}/download`, { method: 'HEAD' })

      assert.equal(status, 302)
      assert.ok(headers.location?.startsWith(`${service.url}/files/`))
    })

    test('redirects under a former slug and while the publication is processing', async () => {
      const { versionId } = await storePublication(service, {
        slug: 'new-name',
        formerSlugs: ['old-name'],
        version: { status: 'processing' },
      })

      const response = await download('old-name')

      assert.equal(response.status, 302)
      assert.ok(response.headers.get('location')?.startsWith(`${service.url}/files/${versionId}?`))
    })

    test('ignores the Host header', async () => {
      const { slug } = await storePublication(service)

      const { headers } = await sendBytes(`${service.url}/publications/${slug}/download`, {
        headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
      })

      assert.ok(headers.location?.startsWith(`${service.url}/files/`))
    })

    test('answers 404 NOT_FOUND for an unknown slug and 410 GONE for an unpublished publication', async () => {
      const { slug } = await storePublication(service, { publication: { unpublished_at: Date.now(), epoch: 1 } })

      await readProblem(await download('unknown'), 404, 'NOT_FOUND')
      await readProblem(await download(slug), 410, 'GONE')
    })
  })
}
