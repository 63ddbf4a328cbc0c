import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { OWNER } from '../../src/operator/model/operator-rights.ts'
import { databases } from '../support/databases.ts'
import { startService } from '../support/start-service.ts'
import { storePublication } from '../support/store-publication.ts'

const [DASHBOARD, PUBLIC, CDN] = ['dashboard.localhost', 'public.localhost', 'cdn.localhost']
const SETTINGS = {
  BASE_URL: `https://${DASHBOARD}`,
  PUBLIC_URL: `https://${PUBLIC}`,
  CDN_URL: `https://${CDN}`,
  TRUSTED_PROXIES: '127.0.0.1',
}
/** The headers that a browser sends with requests of the dashboard's own pages. */
const OWN = { 'sec-fetch-site': 'same-origin', origin: SETTINGS.BASE_URL }

/** Starts a proxy that appears to terminate TLS for all host names. @returns its port */
async function startProxy(upstream: string): Promise<number> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' }
    const { method, url } = incoming
    const forwarded = send(new URL(url!, upstream), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  after(() => proxy.close())
  return (proxy.address() as AddressInfo).port
}

describe('behind a proxy with separate host names for the dashboard, the public site and the images', async () => {
  const service = await startService({ after }, databases[0], { settings: SETTINGS })
  const port = await startProxy(service.url)

  async function ask(host: string, method: string, path: string, headers: OutgoingHttpHeaders = {}, json?: object) {
    const type = json === undefined ? {} : { 'content-type': 'application/json' }
    const asked = send({ port, host: '127.0.0.1', method, path, headers: { ...headers, ...type, host } })
    asked.end(json === undefined ? undefined : JSON.stringify(json))
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
  }

  /** Signs in a new operator. @returns the cookie as the browser receives it */
  async function signIn(name: string): Promise<string> {
    const { link } = await service.server.operator!.deps.accounts.create(name, OWNER)
    const body = { token: link.path.split('#token=')[1], password: 'a quiet lake at dawn' }
    const { headers } = await ask(DASHBOARD, 'POST', '/operator/sign-in-link', OWN, body)
    return headers['set-cookie']![0]
  }

  test('operators sign in at the dashboard, with a cookie restricted to TLS and this host', async () => {
    const given = await signIn('Anna')
    const [cookie] = given.split(';')

    const { body } = await ask(DASHBOARD, 'GET', '/operator/sessions', { cookie })

    assert.match(
      given,
      /^__Host-trackpress_session=ses_[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    assert.equal(JSON.parse(body).sessions[0].address, '192.0.2.7')
  })

  test('requests from pages of the public site or the images are refused', async () => {
    const [cookie] = (await signIn('Berta')).split(';')
    const create = async (from: OutgoingHttpHeaders) => {
      const { status } = await ask(DASHBOARD, 'POST', '/operator/events', { cookie, ...from }, { name: 'Trail' })
      return status
    }

    const statuses = [
      await create({ 'sec-fetch-site': 'same-site', origin: SETTINGS.PUBLIC_URL }),
      await create({ origin: SETTINGS.PUBLIC_URL }),
      await create({ origin: SETTINGS.CDN_URL }),
      await create({ origin: SETTINGS.BASE_URL }),
      await create(OWN),
    ]

    assert.deepEqual(statuses, [403, 403, 403, 201, 201])
  })

  test('files are sent from the image host, and not from the host name of the dashboard', async () => {
    const { slug, pdf } = await storePublication(service)
    const { url } = JSON.parse((await ask(DASHBOARD, 'GET', `/publications/${slug}/pdf`)).body)
    const { images } = JSON.parse((await ask(DASHBOARD, 'GET', `/publications/${slug}/images`)).body)

    for (const address of [url, images[0]]) {
      const { pathname, search } = new URL(address)
      const moved = await ask(`${DASHBOARD}.:443`, 'GET', pathname + search)
      assert.deepEqual([moved.status, moved.headers.location], [307, address])
      assert.equal(moved.headers['cache-control'], 'no-store')
    }
    const { pathname, search } = new URL(url)
    for (const host of [CDN, 'origin.example']) {
      const file = await ask(host, 'GET', pathname + search)
      assert.deepEqual([file.status, file.headers['content-length']], [200, String(pdf.length)])
    }
  })

  test('the other host names have no dashboard', async () => {
    const [cookie] = (await signIn('Clara')).split(';')

    for (const host of [PUBLIC, CDN, `${PUBLIC}:443`, `${PUBLIC}.`, `${DASHBOARD}.evil.example`, '192.0.2.1']) {
      for (const path of ['/', '/dashboard', '/dashboard/', '/operator/session', '/operator/events']) {
        const { status, headers } = await ask(host, 'GET', path, { cookie })
        assert.deepEqual([status, headers['set-cookie']], [404, undefined], `${host}${path}`)
      }
      assert.equal((await ask(host, 'POST', '/operator/session', { origin: `https://${host}` }, {})).status, 404)
    }
    for (const host of [DASHBOARD, `${DASHBOARD}.`, DASHBOARD.toUpperCase(), `${DASHBOARD}:8443`])
      assert.equal((await ask(host, 'GET', '/')).headers.location, 'dashboard/', host)
  })

  test('a public page may load images from the image host and call the API', async () => {
    const { slug } = await storePublication(service, { version: { status: 'processing' as const, has_work: 1 } })

    const page = await ask(PUBLIC, 'GET', `/p/${slug}`)
    const [, path] = new RegExp(`https://${CDN.replace('.', '\\.')}(/images/[^" ,]+)`).exec(page.body)!
    const image = await ask(CDN, 'GET', path, { origin: SETTINGS.PUBLIC_URL })

    const policy = String(page.headers['content-security-policy'])
    assert.match(policy, /img-src 'self' https:\/\/cdn\.localhost data:/)
    assert.match(policy, /connect-src 'self' [^;]*https:\/\/dashboard\.localhost/)
    assert.equal(image.status, 200)
    assert.equal(image.headers['access-control-allow-origin'], '*')
    assert.equal(image.headers['cross-origin-resource-policy'], 'cross-origin')
    const asked = await ask(DASHBOARD, 'GET', `/publications/${slug}/images`, { origin: SETTINGS.PUBLIC_URL })
    assert.deepEqual([asked.status, asked.headers['access-control-allow-origin']], [200, '*'])
  })
})
