import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { checkServer } from '#platform/doctor/check-server.ts'
import packageJson from '#project/package.json' with { type: 'json' }
import { databases, type Owner } from '../support/databases.ts'
import { requireRemedies, wrong } from '../support/doctor-findings.ts'
import { startService } from '../support/start-service.ts'

type Proxy = {
  host?: string
  forwards?: boolean
  limitBytes?: number
  collectsBodies?: boolean
  collectsStreams?: boolean
  hides?: boolean
  /** Address of the client that the proxy names. */
  client?: string
}

/** A reverse proxy with the faults of real ones. */
async function startProxy(owner: Owner, target: string, proxy: Proxy): Promise<string> {
  const server = createServer(async (incoming, response) => {
    if (Number(incoming.headers['content-length'] ?? 0) > (proxy.limitBytes ?? Infinity))
      return response.writeHead(413).end()
    if (proxy.hides === true && ['/metrics', '/readyz'].includes(incoming.url!)) return response.writeHead(404).end()
    const body = proxy.collectsBodies === true ? await buffer(incoming).catch(() => Buffer.alloc(0)) : undefined
    const headers: Record<string, string | string[] | undefined> = {
      ...incoming.headers,
      ...(proxy.host === undefined ? {} : { host: proxy.host }),
    }
    if (proxy.forwards !== false) headers['x-forwarded-for'] = proxy.client ?? '192.0.2.1'
    const outgoing = request(target + incoming.url, { method: incoming.method, headers, agent: false })
    outgoing.on('error', () => response.destroy())
    outgoing.on('response', async (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      if (proxy.collectsStreams === true) response.end(await buffer(answer))
      else answer.pipe(response)
    })
    if (body === undefined) incoming.pipe(outgoing)
    else outgoing.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  owner.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the doctor asks a running server', async () => {
  const [database] = databases
  const trusting = await startService({ after }, database, {
    services: ['tracks'],
    settings: { TRUSTED_PROXIES: '127.0.0.1' },
  })
  const { secrets } = trusting.server

  const check = (baseUrl: string, changes = {}) =>
    checkServer({
      ownUrl: trusting.url,
      baseUrl,
      secrets,
      version: packageJson.version,
      build: undefined,
      largestBodyBytes: 64 * 1_048_576,
      now: () => Date.now(),
      ...changes,
    })

  test('and finds nothing wrong behind a proxy that is set up as described', async (t) => {
    const url = await startProxy(t, trusting.url, { hides: true })

    const findings = await check(url)

    assert.deepEqual(wrong(findings), [])
    assert.ok(findings.some(({ check }) => check === 'live streams'))
    assert.ok(findings.some(({ check }) => check === 'uploads'))
  })

  test('and finds a proxy that changes Host, limits bodies, holds back streams and shows metrics', async (t) => {
    const url = await startProxy(t, trusting.url, { host: 'inner', limitBytes: 1_000_000, collectsStreams: true })

    const findings = await check(url)

    assert.deepEqual(wrong(findings), [
      'error Host',
      'error uploads',
      'error live streams',
      'warning private addresses',
    ])
    requireRemedies(findings)
  })

  test('and trusts a proxy through which the machine asks itself', async (t) => {
    const url = await startProxy(t, trusting.url, { hides: true, client: '127.0.0.1' })

    assert.deepEqual(wrong(await check(url)), [])
  })

  test('and finds a proxy that collects uploads', async (t) => {
    const url = await startProxy(t, trusting.url, { collectsBodies: true, hides: true })

    assert.deepEqual(wrong(await check(url)), ['warning uploads'])
  })

  test('and finds a proxy that the server does not trust', async (t) => {
    const url = await startProxy(t, trusting.url, { hides: true })
    const found = (await check(url, { baseUrl: url })).find(({ check }) => check === 'X-Forwarded-For')
    assert.equal(found?.level, 'ok')
    const wary = await startService(t, database, { services: ['tracks'] })
    const before = await startProxy(t, wary.url, { hides: true })

    const findings = await check(before, { ownUrl: wary.url, secrets: wary.server.secrets })

    assert.deepEqual(wrong(findings), ['error X-Forwarded-For'])
    assert.match(findings.find(({ level }) => level === 'error')!.remedy!, /TRUSTED_PROXIES=127\.0\.0\.1/)
  })

  test('and finds another version, another secret, and nobody', async () => {
    assert.deepEqual(wrong(await check('', { version: '9.9.9' })), ['warning version'])
    assert.deepEqual(wrong(await check('', { secrets: [Buffer.alloc(32, 1)] })), ['warning BASE_URL'])
    const nobody = await check('http://127.0.0.1:1', { ownUrl: 'http://127.0.0.1:1' })
    assert.deepEqual(wrong(nobody), ['warning running', 'warning BASE_URL'])
  })

  test('at addresses that do not exist for others', async () => {
    for (const path of ['/doctor/request', '/doctor/stream']) {
      for (const ticket of ['', '1.x', `${Date.now()}.${'A'.repeat(43)}`, `${Date.now()}.${'é'.repeat(43)}`]) {
        assert.equal((await fetch(trusting.url + path, { headers: { 'x-doctor': ticket } })).status, 404)
      }
    }
  })
})
