import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { GUIDES } from '../../src/platform/reference/guide-page.ts'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { startService } from '../support/start-service.ts'

describe('the guides of the server', async () => {
  const { request } = await startService({ after }, databases[0], { services: ['tracks'] })
  const open = async (name: string) => await (await request('GET', `/docs/${name}`)).text()

  for (const name of Object.keys(GUIDES)) {
    test(`${name} is a page whose links lead somewhere`, async () => {
      const response = await request('GET', `/docs/${name}`)
      const page = await response.text()

      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-type')!, /^text\/html/)
      assert.match(
        response.headers.get('content-security-policy')!,
        /^default-src 'none'; style-src 'self'; img-src data:;/,
      )
      assert.match(page, /<h1 id="/)
      for (const [, address] of page.matchAll(/(?:href)="([^"]+)"/g)) {
        if (/^(https?|data):/.test(address)) continue
        const [path, fragment] = address.split('#')
        const target = path === '' ? page : await open(path === '../docs' ? '../docs' : path)
        assert.ok(target.length > 500, `${address} is missing`)
        if (fragment !== undefined) assert.ok(target.includes(`id="${fragment}"`), `${address} has no such heading`)
      }
    })
  }

  test('no others are served, whatever their names', async () => {
    for (const name of ['architecture', 'unknown', '..%2fpackage', '%2e%2e%2fREADME'])
      await readProblem(await request('GET', `/docs/${name}`), 404, 'NOT_FOUND')
  })
})
