import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { describePublications } from '../support/describe-service.ts'
import { annotated } from '../support/make-pdf-examples.ts'
import { readProblem } from '../support/problem.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { storePublication } from '../support/store-publication.ts'

describePublications('GET /publications/:slug/download', async ({ service }) => {
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

describePublications('comments and attached files', async ({ service }) => {
  const { slug } = await publishPdf(service, { title: 'With comments', pdf: annotated() })
  await untilRendered(service, slug)
  const get = async (path: string) => await fetch(`${service.url}/publications/${slug}${path}`)

  test('lists them without the names of their authors', async () => {
    const { attachments } = (await (await get('')).json()) as { attachments: object[] }
    const page = await (await get('/pages/1')).text()
    const { comments } = JSON.parse(page) as { comments: { x: number; y: number; text: string; file?: object }[] }

    assert.deepEqual(attachments, [{ id: '1', name: 'page.html' }])
    assert.deepEqual(
      comments.map(({ text, file }) => [text, file]),
      [
        ['<b>Where</b>\nfrom?', undefined],
        ['', { id: '1-3', name: 'May.csv' }],
      ],
    )
    assert.ok(Math.abs(comments[0].x - 0.5) < 0.01)
    assert.doesNotMatch(page, /jdoe|Unseen/)
  })

  test('reads a document again that an earlier version has rendered', async () => {
    const { db } = service.server.publications!.deps
    const before = await (await get('')).json()
    const read = await get('/pages/1')
    const found = (await read.json()) as { comments: object[]; text: string }
    const { version_id: id } = await db.selectFrom('publications').select('version_id').executeTakeFirstOrThrow()
    const version = db.updateTable('versions').where('id', '=', id)
    const { facts } = await db.selectFrom('versions').select('facts').executeTakeFirstOrThrow()
    const { attachments: _, form: __, ...known } = JSON.parse(facts)
    const forget = async () => {
      await db.updateTable('pages').set({ comments: null }).execute()
      await version.set({ content_form: null, facts: JSON.stringify({ ...known, detectedLanguage: 'en' }) }).execute()
    }

    let [again, page] = [read, 'May.csv']
    // The document may have been read again before the page is asked for.
    while (page.includes('May.csv')) {
      await forget()
      again = await get('/pages/1')
      page = await again.text()
    }
    const etag = again.headers.get('etag')!
    for (; !page.includes('May.csv'); page = await again.text()) {
      assert.equal(JSON.parse(page).text, found.text)
      await wait(50)
      again = await get('/pages/1')
    }

    const headers = { 'if-none-match': etag }
    const asked = await fetch(`${service.url}/publications/${slug}/pages/1`, { headers })
    assert.equal(asked.status, 200, 'a browser that has the page without comments asks for it again')
    assert.deepEqual(JSON.parse(await (await get('/pages/1')).text()), found)
    const row = await db.selectFrom('versions').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual(JSON.parse(row.facts), { ...JSON.parse(facts), detectedLanguage: 'en' })
    assert.deepEqual([row.content_form, row.lease_owner, row.has_work], [1, null, 0])
    const updated = (await (await get('')).json()) as { updated_at: string }
    assert.ok(updated.updated_at > (before as { updated_at: string }).updated_at)
  })

  test('shows them on the public page', async () => {
    const html = await (await fetch(`${service.url}/p/${slug}`)).text()

    assert.match(html, /<li id="comment-1-1"[^>]*>&#60;b&#62;Where/)
    assert.match(html, /href="[^"]*\/attachments\/1-3" download/)
    assert.match(html, /href="[^"]*\/attachments\/1" download/)
    assert.doesNotMatch(html, /jdoe|Unseen/)
    assert.match(html, /This is a form\. You can fill it in once you have downloaded it\./)
  })

  test('delivers files as downloads of unknown type', async () => {
    for (const [id, name, content] of [
      ['1', 'page.html', '<script>alert(1)</script>'],
      ['1-3', 'May.csv', 'a,b\n1,2\n'],
    ]) {
      const { status, headers, ...response } = await sendBytes(`${service.url}/publications/${slug}/attachments/${id}`)
      assert.equal(status, 200)
      assert.equal(response.body.toString(), content)
      assert.equal(headers['content-type'], 'application/octet-stream')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['content-disposition']), new RegExp(`^attachment; filename="${name}"`))
      assert.match(String(headers['content-security-policy']), /sandbox/)
    }
  })

  test('answers 404 for files that are not listed', async () => {
    for (const id of ['2', '1-1', '1-2', '2-1', '9999-999'])
      await readProblem(await get(`/attachments/${id}`), 404, 'NOT_FOUND')
    await readProblem(await get('/attachments/..%2f1'), 400, 'BAD_REQUEST')
  })
})
