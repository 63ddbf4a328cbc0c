import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { uploadRequests } from '../support/upload-requests.ts'

const PAGE = Buffer.from('<!doctype html><script>alert(document.domain)</script>\n')

describePublications('A PDF that begins as a web page', { on: oneDatabase }, async ({ service }) => {
  const { ticket, put } = uploadRequests(service)

  test('is accepted, and only ever served as a PDF', async () => {
    const file = Buffer.concat([PAGE, numberedPages(1)])
    const { uploadUrl, storageKey, pdfPath } = await ticket({ path: 'page.html.pdf' })
    assert.equal((await put(uploadUrl, file)).status, 200)
    const fields = { title: 'page.html', storageKey, pdfPath, sourceType: 'pdf' }

    const created = await service.request('POST', '/publications', fields)

    const { slug } = (await created.json()) as { slug: string }
    const { url } = (await (await fetch(`${service.url}/publications/${slug}/pdf`)).json()) as { url: string }
    const download = await sendBytes(`${service.url}/publications/${slug}/download`)
    for (const address of [url, String(download.headers.location)]) {
      const served = await sendBytes(address, { headers: { Accept: 'text/html' } })
      assert.equal(served.status, 200)
      assert.equal(served.headers['content-type'], 'application/pdf')
      assert.equal(served.headers['x-content-type-options'], 'nosniff')
      assert.deepEqual(served.body, file)
    }
  })
})
