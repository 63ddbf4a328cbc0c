import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { answer, askForTicket, publishPdf, sendAs, untilRendered } from '../support/publish.ts'
import { heldByAnother, storePublication } from '../support/store-publication.ts'

type Attempt = [method: string, path: string, headers: Record<string, string>]

const PDF = { 'Content-Type': 'application/pdf' }

describePublications('Access to publications', { on: oneDatabase }, async ({ service }) => {
  const { url, request } = service
  const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(new URL(path, url), { method, headers, redirect: 'manual' })

  test('no method, condition or range reveals an unpublished publication', async () => {
    const { slug } = await publishPdf(service, { title: 'Withdrawn words', pages: 2 })
    await untilRendered(service, slug)
    const { url: file } = await answer<{ url: string }>(await read(`/publications/${slug}/pdf`), 200)
    const { images } = await answer<{ images: string[] }>(await read(`/publications/${slug}/images`), 200)
    const etags = await Promise.all(
      [file, images[0], `/p/${slug}`].map(async (path) => (await read(path)).headers.get('etag')!),
    )
    const attempts: Attempt[] = [
      ...[file, images[0], `/p/${slug}`].flatMap((path, at): Attempt[] => [
        ['GET', path, {}],
        ['HEAD', path, {}],
        ['GET', path, { 'If-None-Match': etags[at] }],
        ['GET', path, { Range: 'bytes=0-3' }],
        ['GET', path, { Range: 'bytes=0-3', 'If-Range': etags[at] }],
      ]),
      ['GET', `${images[1]}/600.webp`, {}],
      ['GET', `${images[1]}/2400.jpg`, {}],
      ['GET', `/p/${slug}/embed`, {}],
      ['GET', `/p/${slug}/text/1`, {}],
      ['GET', `/p/${slug}?from=2`, {}],
      ['GET', `/publications/${slug}`, {}],
      ['GET', `/publications/${slug}/pages/1`, {}],
      ['GET', `/publications/${slug}/events`, {}],
      ['HEAD', `/publications/${slug}/download`, {}],
      ['GET', `/oembed?url=${encodeURIComponent(`${url}/p/${slug}`)}`, {}],
    ]

    await request('POST', `/publications/${slug}/unpublish`)

    for (const [method, path, headers] of attempts) {
      const refused = await read(path, headers, method)
      assert.equal(refused.status, 410, `${method} ${path}`)
      assert.equal(refused.headers.get('cache-control'), 'no-store')
      assert.equal((await refused.text()).includes('Withdrawn words'), false)
    }
    assert.equal((await (await read('/sitemap.xml')).text()).includes(slug), false)
  })

  test('an address gives access only to its own target', async () => {
    const [one, two] = [await publishPdf(service, { title: 'One' }), await publishPdf(service, { title: 'Two' })]
    const imagesOf = async (slug: string) =>
      (await answer<{ images: string[] }>(await read(`/publications/${slug}/images`), 200)).images
    const [mine, theirs] = [new URL((await imagesOf(one.slug))[0]), new URL((await imagesOf(two.slug))[0])]
    const [, , version, name] = mine.pathname.split('/')
    const [, , otherVersion, otherName] = theirs.pathname.split('/')
    const file = new URL((await answer<{ url: string }>(await read(`/publications/${one.slug}/pdf`), 200)).url)
    const ticket = new URL((await askForTicket(service)).uploadUrl)
    const other = new URL((await askForTicket(service)).uploadUrl)

    const notFound = [
      `/images/${version}/${otherName}`,
      `/images/${otherVersion}/${name}`,
      `/images/${version.toUpperCase()}/${name}`,
      `/images/${version}/${name.replace('0-1-', '00-1-')}`,
      `/images/${version}/${name.replace('0-1-', '0-999999999-')}`,
      `/images/${version}/${name}%00`,
      `/images/${version}/${name}/..%2f..%2f1200.jpg`,
      `/images/${version}/${name}/__proto__`,
      `/images/..%2f..%2fdocuments/${name}`,
    ]
    const forged: Attempt[] = [
      ['GET', file.pathname, {}],
      ['GET', file.pathname + ticket.search, {}],
      ['GET', `${file.pathname}${file.search}&more=1`, {}],
      ['GET', `${file.pathname}?more=1&${file.search.slice(1)}`, {}],
      ['GET', `${file.pathname}${file.search.replace(/expires=\d+/, 'expires=9999999999999')}`, {}],
      ['PUT', ticket.pathname + other.search, PDF],
      ['PUT', ticket.pathname + file.search, PDF],
    ]

    for (const path of notFound) assert.equal((await read(path)).status, 404, path)
    for (const [method, path, headers] of forged) assert.equal((await read(path, headers, method)).status, 403, path)
  })

  test('the key of another workspace gives no access, by any storageKey or slug', async () => {
    const other = await service.createWorkspace('Other')
    const ticket = await askForTicket(service)
    const { slug } = await publishPdf(service)
    const asOther = sendAs(service, other.api_key)
    const reference = { storageKey: ticket.storageKey, pdfPath: ticket.pdfPath }
    const mine = await publishPdf(service, { apiKey: other.api_key })

    const statuses = [
      await asOther('POST', '/publications', { title: 'Taken', ...reference, sourceType: 'pdf' }),
      await asOther('PUT', `/publications/${mine.slug}/file`, reference),
      await asOther('PUT', `/publications/${slug}/file`, reference),
      await asOther('PATCH', `/publications/${slug}`, {}),
      await asOther('DELETE', `/publications/${slug}`),
    ].map(({ status }) => status)

    assert.deepEqual(statuses, [404, 404, 404, 404, 404])
  })

  test('the number of requests that wait for pages is limited, for each address and for all', async () => {
    const { versionId } = await storePublication(service, { version: heldByAnother() })
    const { pageWaits } = service.server.publications!.deps
    const leaving = new AbortController()
    const wait = (caller: string) => pageWaits.wait(versionId, 1, { caller, signal: leaving.signal })
    const ofOne = Array.from({ length: 500 }, () => wait('192.0.2.1'))

    const refused = await wait('192.0.2.1')
    const ofAll = Array.from({ length: 1_500 }, (_, at) => wait(`192.0.2.${2 + (at % 3)}`))
    const refusedToAll = await wait('192.0.2.9')
    leaving.abort()
    await Promise.all([...ofOne, ...ofAll])

    assert.deepEqual([refused, refusedToAll], [undefined, undefined])
    assert.equal(pageWaits.count, 0)
  })

  test('slow uploads block no other requests and no tickets', async (t) => {
    const { uploadUrl } = await askForTicket(service)
    const { pathname, search, port } = new URL(uploadUrl)
    const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Type: application/pdf\r\nContent-Length: 99999\r\n\r\n%PDF-`
    const slow = Array.from({ length: 100 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}))
    t.after(() => slow.map((socket) => socket.destroy()))
    await Promise.all(slow.map((socket) => new Promise((resolve) => socket.write(head, resolve))))

    const listed = await request('GET', '/publications')
    const body = new Uint8Array(numberedPages(1))
    const uploaded = await fetch(uploadUrl, { method: 'PUT', headers: PDF, body })

    assert.deepEqual([listed.status, uploaded.status], [200, 200])
  })

  test('errors reveal nothing about the implementation of the server', async () => {
    const { slug } = await publishPdf(service)
    const key = { 'X-Api-Key': service.apiKey, 'Content-Type': 'application/json' }
    const answers = [
      await read('/publications'),
      await read('/publications/%00/pdf'),
      await read(`/publications/${slug}/pages/99999999999999999999`),
      await read(`/p/${slug}?from=1e999`),
      await read('/images/x/y'),
      await read('/files/..%2f..%2fsecret'),
      await read('/uploads/x', PDF, 'PUT'),
      await read('/oembed?url=http%3A%2F%2F%5B'),
      await fetch(`${url}/publications`, {
        method: 'POST',
        headers: key,
        body: '{"title":"x","storageKey":"\'; --"',
      }),
      await request('POST', '/publications', {
        title: 'x',
        storageKey: "' or 1=1 --",
        pdfPath: 'x',
        sourceType: 'pdf',
      }),
      await request('PATCH', `/publications/${slug}`, { slug: "'; drop table publications" }),
    ]

    for (const response of answers) {
      const text = await response.text()
      assert.ok(response.status < 500, text)
      assert.doesNotMatch(text, /node_modules|\.ts\b|\n +at |select |insert |SQLITE|syntax error|\/tmp\/|\/home\//i)
    }
  })
})
