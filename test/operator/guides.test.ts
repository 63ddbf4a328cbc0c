import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { FRENCH_GUIDES, GUIDES } from '../../src/platform/reference/guide-page.ts'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { startService } from '../support/start-service.ts'

describe('the guides of the server', async () => {
  const { request } = await startService({ after }, databases[0], { services: ['tracks'] })
  const open = async (address: string) => await (await request('GET', address)).text()

  for (const name of [...GUIDES, ...FRENCH_GUIDES.map((guide) => `fr/${guide}`)]) {
    test(`${name} is a page whose links lead somewhere`, async () => {
      const response = await request('GET', `/docs/${name}`)
      const page = await response.text()

      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-type')!, /^text\/html/)
      assert.match(
        response.headers.get('content-security-policy')!,
        /^default-src 'none'; style-src 'self'; img-src data:;/,
      )
      assert.match(
        page,
        name.startsWith('fr/') ? /^<!doctype html>\n<html lang="fr"/i : /^<!doctype html>\n<html lang="en"/i,
      )
      assert.match(page, /<h1 id="/)
      for (const [, address] of page.matchAll(/(?:href)="([^"]+)"/g)) {
        if (/^(https?|data):/.test(address)) continue
        const [path, fragment] = address.split('#')
        const target = path === '' ? page : await open(new URL(path, `http://server/docs/${name}`).pathname)
        assert.ok(target.length > 500, `${address} is missing`)
        if (fragment !== undefined)
          assert.ok(target.includes(`id="${decodeURIComponent(fragment)}"`), `${address} has no such heading`)
      }
    })
  }

  test('those in French and in English lead to each other', async () => {
    assert.match(await open('/docs/events'), /<a href="fr\/events" lang="fr" hreflang="fr">Français<\/a>/)
    assert.match(await open('/docs/fr/events'), /<a href="\.\.\/events" lang="en" hreflang="en">English<\/a>/)
    assert.doesNotMatch(await open('/docs/running'), /hreflang="fr"/)
  })

  test('the guide for app developers leads to the clients, and their guides to sources to copy', async () => {
    const guide = await open('/docs/app-developers')
    for (const name of ['typescript-client', 'kotlin-client', 'swift-client', 'client-cases'])
      assert.match(guide, new RegExp(`<main[^]*<a href="${name}">`))
    const [, source] = /href="(clients\/[^"]+\/TrackClient\.kt)"/.exec(await open('/docs/kotlin-client'))!
    const response = await request('GET', `/docs/${source}`)
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.match(await response.text(), /class TrackClient/)
    for (const name of [
      'typescript/package.json',
      'kotlin/README.md',
      '..%2fpackage.json',
      'cases/..%2f..%2fpackage.json',
    ])
      await readProblem(await request('GET', `/docs/clients/${name}`), 404, 'NOT_FOUND')
  })

  test('names in tables break after their parts, and not in the closing tag', async () => {
    const cells = (await open('/docs/running')).match(/<td><code>.*?<\/td>/g)!
    assert.ok(cells.includes('<td><code>http_<wbr>requests_<wbr>total</code></td>'))
    assert.doesNotMatch(cells.join(''), /<\/<wbr>/)
  })

  test('no others are served, whatever their names', async () => {
    for (const name of ['architecture', 'unknown', '..%2fpackage', '%2e%2e%2fREADME'])
      await readProblem(await request('GET', `/docs/${name}`), 404, 'NOT_FOUND')
  })
})
