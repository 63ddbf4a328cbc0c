import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { held, startTarget } from '../support/attack.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { answer, type WirePublication, type WireTicket } from '../support/publish.ts'
import { sendText } from '../support/send-bytes.ts'

const [READER, IMAGES] = ['read.example.org', 'images.example.org']
/** Names of other sites on the server, in every spelling, and names that strangers may point to it. */
const FOREIGN = [
  READER,
  `${READER}.`,
  `${READER}.:443`,
  READER.toUpperCase(),
  IMAGES,
  `${IMAGES}.`,
  'rebound.example.com',
  'localhost.example.com',
  '192.0.2.9:8080',
  '[2001:db8::9]',
]
const OWN = ['localhost', 'localhost.', 'LOCALHOST:8080']

describe('host names', async () => {
  const target = await startTarget({ after }, undefined, {
    BASE_URL: 'http://localhost',
    PUBLIC_URL: `https://${READER}`,
    CDN_URL: `https://${IMAGES}`,
  })

  /** Sends a request with exactly these lines in its head. */
  async function ask(path: string, ...lines: string[]) {
    const text = await sendText(
      target.url,
      `${[`GET ${path} HTTP/1.1`, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`,
    )
    return { status: Number(text.split(' ')[1]), location: /^location: (\S+)/im.exec(text)?.[1], text }
  }

  test('the dashboard answers under the host name of BASE_URL alone, however a name is spelled', async (t) => {
    const paths = ['/', '/dashboard', '/dashboard/', '/dashboard/events', '/operator/session', '/operator/events']

    for (const host of FOREIGN) {
      for (const path of paths) {
        const { status, text } = await ask(path, `Host: ${host}`, `Cookie: ${target.operator.cookie}`)
        assert.equal(status, 404, `${host}${path}`)
        assert.match(text, /"code":"NOT_FOUND"/)
      }
    }
    for (const host of OWN) {
      const { status } = await ask('/operator/session', `Host: ${host}`, `Cookie: ${target.operator.cookie}`)
      assert.equal(status, 200, host)
    }
    held(t, { 'names refused': [FOREIGN.length, ''] })
  })

  test('the host name of a workspace leads to its shelf, and not to the dashboard', async (t) => {
    const own = 'own.example.net'
    const { operator } = target
    const { workspaces } = await answer<{ workspaces: { id: string }[] }>(
      await operator.request('GET', '/operator/workspaces'),
      200,
    )
    const face = `/operator/workspaces/${workspaces[0].id}/face`
    await answer(await operator.request('PUT', face, { slug: 'own', name: 'Own press' }), 200)
    for (const domain of [READER, IMAGES, 'localhost'])
      assert.notEqual((await operator.request('PUT', `${face}/domain`, { domain })).status, 200, domain)
    await answer(await operator.request('PUT', `${face}/domain`, { domain: own }), 200)

    const cookie = `Cookie: ${operator.cookie}`
    for (const host of [own, `${own}.`, `${own}.:443`, own.toUpperCase()]) {
      assert.match((await ask('/', `Host: ${host}`)).text, /Own press/)
      for (const path of [
        '/dashboard/',
        '/operator/session',
        '/%6fperator/session',
        '//operator/session',
        '/_/operator/session',
        '/healthz',
        '/metrics',
      ])
        assert.equal((await ask(path, `Host: ${host}`, cookie)).status, 404, `${host}${path}`)
    }
    const forwarded = `X-Forwarded-Host: ${own}`
    for (const host of [...FOREIGN, ...OWN])
      assert.doesNotMatch((await ask('/', `Host: ${host}`, forwarded)).text, /Own press/, host)
    held(t, { 'names that lead elsewhere': [FOREIGN.length + OWN.length, ''] })
  })

  test('a request with two, no or invalid Host headers is refused', async (t) => {
    const heads = [
      ['Host: localhost', `Host: ${READER}`],
      ['Host: localhost', 'hOsT: localhost'],
      [],
      ['Host:'],
      ['Host: localhost, localhost'],
      ['Host: http://localhost/'],
      ['Host: operator@localhost'],
      ['Host: localhost%2e'],
    ]

    for (const lines of heads) {
      const { status, text } = await ask('/healthz', ...lines)
      assert.equal(status, 400, lines.join())
      assert.match(text, /"code":"BAD_REQUEST"/)
    }
    held(t, { 'heads refused': [heads.length, ''] })
  })

  test('uploaded files and their images never come from the host name of the dashboard', async (t) => {
    const addresses = await publishedAddresses()

    for (const { pathname, search, href } of addresses) {
      const target = pathname + search
      for (const host of OWN) {
        const moved = await ask(target, `Host: ${host}`)
        assert.deepEqual([moved.status, moved.location], [307, href])
        assert.equal((await ask(`http://${host}${target}`, `Host: ${host}`)).status, 404)
      }
      for (const host of [IMAGES, `${IMAGES}.`, 'origin.example.net'])
        assert.equal((await ask(target, `Host: ${host}`)).status, 200, host)
    }
    held(t, { addresses: [addresses.length, ''] })
  })

  async function publishedAddresses(): Promise<URL[]> {
    const { publish, read, url } = target
    const ticket = await answer<WireTicket>(await publish('POST', '/publications/upload-url', { type: 'pdf' }), 200)
    const uploaded = await fetch(new URL(new URL(ticket.uploadUrl).pathname + new URL(ticket.uploadUrl).search, url), {
      method: 'PUT',
      headers: { 'Content-Type': 'application/pdf' },
      body: new Uint8Array(numberedPages(1)),
    })
    const { storageKey, pdfPath } = await answer<WireTicket>(uploaded, 200)
    const fields = { title: 'Hosts', storageKey, pdfPath, sourceType: 'pdf' }
    const { slug } = await answer<WirePublication>(await publish('POST', '/publications', fields), 201)
    const pdf = await answer<{ url: string }>(await read(`/publications/${slug}/pdf`), 200)
    const { images } = await answer<{ images: string[] }>(await read(`/publications/${slug}/images`), 200)
    return [pdf.url, ...images].map((address) => new URL(address))
  }
})
