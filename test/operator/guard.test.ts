import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorService } from '../../src/operator/service.ts'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'

const BASE_URL = 'http://tracks.example.org:8443'

for (const database of databases) {
  describe(`the guard on ${database.name}`, async () => {
    const operator = await startOperator({ after }, database, { baseUrl: BASE_URL, addRoutes })
    const browser = await operator.signedIn()
    const own = new URL(operator.url).host

    const change = async (headers: Record<string, string>, method = 'POST') =>
      (await fetch(`${operator.url}/operator/sample`, { method, headers: { Cookie: browser.cookie, ...headers } }))
        .status

    test("lets a signed-in operator into another part's routes, and tells who it is", async () => {
      const { operator_id } = await answered<{ operator_id: string }>(200, browser.request('GET', '/operator/sample'))

      const { operator: who } = await answered<{ operator: { id: string } }>(
        200,
        browser.request('GET', '/operator/session'),
      )
      assert.equal(operator_id, who.id)
    })

    test('answers 401 to everyone else, and has nothing kept', async () => {
      const response = await operator.browser().request('GET', '/operator/sample')

      await readProblem(response, 401, 'UNAUTHORIZED')
      assert.equal(response.headers.get('cache-control'), 'no-store')
    })

    test('answers 405 and 404 before it asks who it is', async () => {
      await readProblem(await operator.browser().request('PUT', '/operator/sample'), 405, 'METHOD_NOT_ALLOWED')
      await readProblem(await operator.browser().request('GET', '/operator/nothing'), 404, 'NOT_FOUND')
    })

    test('refuses changes that another site makes the browser send', async () => {
      const cases: [headers: Record<string, string>, status: number][] = [
        [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
        [{ 'Sec-Fetch-Site': 'none' }, 200],
        [{ 'Sec-Fetch-Site': 'same-site' }, 403],
        [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
        [{ 'Sec-Fetch-Site': 'cross-site', Origin: BASE_URL }, 403],
        [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://proxy.example.org' }, 200],
        [{ Origin: BASE_URL }, 200],
        [{ Origin: `http://${own}` }, 200],
        [{ Origin: 'http://tracks.example.org' }, 403],
        [{ Origin: 'https://tracks.example.org:8443' }, 403],
        [{ Origin: 'https://evil.example.org' }, 403],
        [{ Origin: 'null' }, 403],
        [{ Origin: '' }, 403],
        [{}, 200],
      ]

      for (const [headers, status] of cases)
        for (const method of ['POST', 'DELETE'])
          assert.equal(await change(headers, method), status, `${method} ${JSON.stringify(headers)}`)
    })

    test('lets another site ask, since it cannot read the answer', async () => {
      assert.equal(await change({ 'Sec-Fetch-Site': 'cross-site' }, 'GET'), 200)
    })

    test('has signing in and out refused to other sites as well', async () => {
      const from = { 'Sec-Fetch-Site': 'cross-site' }
      const stranger = operator.browser()
      const credentials = { name: 'operator', password: PASSWORD }
      const link = { token: 'lnk_x', password: PASSWORD }

      const answers = [
        await stranger.request('POST', '/operator/session', credentials, from),
        await stranger.request('POST', '/operator/sign-in-link', link, from),
        await stranger.request('DELETE', '/operator/session', undefined, from),
      ]

      for (const answer of answers) await readProblem(answer, 403, 'FORBIDDEN')
    })
  })
}

/** What another part adds. */
function addRoutes(server: HttpServer, { guard }: OperatorService): void {
  void server.register(async (app: HttpServer) => {
    guard(app)
    app.get('/operator/sample', async ({ operatorId }) => ({ operator_id: operatorId }))
    app.post('/operator/sample', async () => ({}))
    app.delete('/operator/sample', async () => ({}))
  })
}
