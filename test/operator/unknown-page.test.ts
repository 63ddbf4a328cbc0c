import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { startService } from '../support/start-service.ts'

/** The header with which browsers ask for a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

describe('an address that does not exist', async () => {
  const { request } = await startService({ after }, databases[0], { services: ['tracks', 'dashboard'] })
  const open = (path: string, headers: Record<string, string>) => request('GET', path, undefined, headers)

  test('is a page for a person, in the language of the browser', async () => {
    for (const [language, title] of [
      ['en-GB,en', 'Page not found'],
      ['fr-CH,fr;q=0.9', 'Page introuvable'],
      ['de', 'Page not found'],
    ]) {
      const response = await open('/nothing', { Accept: BROWSER, 'Accept-Language': language })

      assert.equal(response.status, 404)
      assert.match(response.headers.get('content-type')!, /^text\/html/)
      const page = await response.text()
      assert.ok(page.includes(`<h1>${title}</h1>`), page)
      assert.ok(page.includes('href="/"'))
    }
  })

  test('runs nothing and shows nothing of the address', async () => {
    const response = await open('/nothing/%3Cscript%3Ealert(1)%3C/script%3E', { Accept: BROWSER })

    assert.match(response.headers.get('content-security-policy')!, /default-src 'none'; style-src 'sha256-/)
    assert.ok(!(await response.text()).includes('alert'))
  })

  test('is a problem for a program, whatever it accepts', async () => {
    for (const Accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'image/png']) {
      await readProblem(await open('/nothing', { Accept }), 404, 'NOT_FOUND')
    }
    await readProblem(await request('POST', '/nothing', {}, { Accept: BROWSER }), 404, 'NOT_FOUND')
  })

  test('stays a problem where it exists for another method, or its thing is missing', async () => {
    await readProblem(await open('/sync', { Accept: BROWSER }), 405, 'METHOD_NOT_ALLOWED')
    await readProblem(await open('/shares/unknown', { Accept: BROWSER }), 404, 'NOT_FOUND')
  })
})
