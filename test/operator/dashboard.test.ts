import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { sendBytes, sendText } from '../support/send-bytes.ts'
import { startOperator } from './support/start-operator.ts'

const [database] = databases
const SECRET = 'outside of the dashboard'

describe('GET /dashboard/', async () => {
  const root = mkdtempSync(join(tmpdir(), 'built-'))
  const dashboardDir = join(root, 'dashboard')
  mkdirSync(join(dashboardDir, 'assets'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), SECRET)
  writeFileSync(join(dashboardDir, '.env'), SECRET)
  writeFileSync(
    join(dashboardDir, 'index.html'),
    '<!doctype html><html><head><title>T</title></head><body></body></html>',
  )
  writeFileSync(join(dashboardDir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(dashboardDir, 'assets', 'index-1a2b3c.js'), `// ${'x'.repeat(2000)}\n`)
  after(() => rmSync(root, { recursive: true, force: true }))
  const operator = await startOperator({ after }, database, {
    dashboardDir,
    settings: {
      MAP_STYLE_URL: 'https://tiles.example.org/style.json?a=1&b="',
      MAP_ORIGINS: 'https://fonts.example.org',
    },
  })
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(operator.url + path, { redirect: 'manual', headers })

  test('is the target of the server root', async () => {
    for (const [path, status] of [
      ['/', 302],
      ['/dashboard', 308],
    ] as const) {
      const response = await get(path)

      assert.equal(response.status, status)
      assert.equal(new URL(response.headers.get('location')!, operator.url + path).pathname, '/dashboard/')
    }
  })

  test('serves the same page at every dashboard address', async () => {
    const pages = [
      '/dashboard/',
      '/dashboard/events/7',
      '/dashboard/sign-in',
      '/dashboard/index.html',
      '/dashboard/?a=1',
    ]

    for (const path of pages) {
      const response = await get(path)

      assert.equal(response.status, 200, path)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(response.headers.get('cache-control'), 'no-cache')
      assert.match(await response.text(), /<title>T<\/title>/)
    }
  })

  test('allows only its own scripts, and styles with a nonce per response', async () => {
    const [first, second] = [await get('/dashboard/'), await get('/dashboard/')]

    const nonces = await Promise.all(
      [first, second].map(async (response) => {
        const [, nonce] = /<meta name="csp-nonce" content="([^"]+)">/.exec(await response.text())!
        assert.ok(response.headers.get('content-security-policy')!.includes(`style-src 'self' 'nonce-${nonce}'`))
        return nonce
      }),
    )
    assert.notEqual(nonces[0], nonces[1])
    const policy = first.headers.get('content-security-policy')!
    assert.doesNotMatch(policy, /unsafe/)
    assert.match(policy, /^default-src 'none'; script-src 'self'; /)
    assert.match(policy, /; frame-ancestors 'none'/)
    assert.match(policy, /; connect-src 'self' https:\/\/tiles\.example\.org https:\/\/fonts\.example\.org;/)
    assert.equal(first.headers.get('x-frame-options'), 'DENY')
    assert.equal(first.headers.get('referrer-policy'), 'same-origin')
    assert.equal(first.headers.get('x-content-type-options'), 'nosniff')
  })

  test('passes the map style to the page', async () => {
    const page = await (await get('/dashboard/')).text()

    const [, content = ''] = /<meta name="map" content="([^"]*)">/.exec(page) ?? []
    const map = JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
    assert.deepEqual([map.kind, map.style_url], ['style', 'https://tiles.example.org/style.json?a=1&b=%22'])
  })

  test('caches files with a content hash permanently, compresses them, and revalidates the others', async () => {
    const asset = await get('/dashboard/assets/index-1a2b3c.js', { 'Accept-Encoding': 'br' })
    const icon = await get('/dashboard/favicon.svg')
    const headers = { 'If-None-Match': icon.headers.get('etag')! }
    const again = await sendBytes(`${operator.url}/dashboard/favicon.svg`, { headers })

    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(asset.headers.get('content-type')!, /^(?:text|application)\/javascript; charset=utf-8$/)
    assert.equal(asset.headers.get('content-encoding'), 'br')
    assert.equal(icon.headers.get('cache-control'), 'no-cache')
    assert.equal(icon.headers.get('content-type'), 'image/svg+xml')
    assert.equal(again.status, 304)
  })

  test('answers 404 for a file that is not part of the build', async () => {
    for (const path of ['assets/index-old.js', 'nothing.png', '.env', 'assets/.hidden.js'])
      await readProblem(await get(`/dashboard/${path}`), 404, 'NOT_FOUND')
  })

  test('never serves a file outside of its folder', async () => {
    const { host } = new URL(operator.url)
    const paths = [
      '/dashboard/../secret.txt',
      '/dashboard/%2e%2e/secret.txt',
      '/dashboard/..%2fsecret.txt',
      '/dashboard/assets/..%2f..%2fsecret.txt',
      '/dashboard/..%5csecret.txt',
      '/dashboard/%252e%252e/secret.txt',
      '/dashboard//../secret.txt',
      '/dashboard/%00.txt',
      '/dashboard/secret.txt%00.js',
      `/dashboard/${encodeURIComponent(join(root, 'secret.txt'))}`,
      `/dashboard/${join(root, 'secret.txt')}`,
    ]

    for (const path of paths) {
      const answer = await sendText(operator.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

      assert.match(answer, /^HTTP\/1\.1 (?:400|403|404) /, path)
      assert.ok(!answer.includes(SECRET), path)
    }
  })

  test('answers HEAD like GET, without a body', async () => {
    const { status, body } = await sendBytes(`${operator.url}/dashboard/`, { method: 'HEAD' })

    assert.deepEqual([status, body.length], [200, 0])
  })
})

describe('GET /dashboard/ before it is built', async () => {
  const dashboardDir = mkdtempSync(join(tmpdir(), 'not-built-'))
  after(() => rmSync(dashboardDir, { recursive: true, force: true }))
  const operator = await startOperator({ after }, database, { dashboardDir })

  test('explains how to build it', async () => {
    const response = await fetch(`${operator.url}/dashboard/events`)

    assert.equal(response.status, 503)
    assert.match(await response.text(), /scripts\/build-web\.ts/)
    assert.match(response.headers.get('content-security-policy')!, /^default-src 'none';/)
  })
})
