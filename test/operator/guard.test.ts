import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OWNER } from '../../src/operator/model/operator-rights.ts'
import type { SessionList } from '../../src/operator/model/schemas.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'

const BASE_URL = 'http://localhost:8443'

describeOn(oneDatabase, 'the guard', async (database) => {
  const operator = await startOperator({ after }, database, {
    services: ['tracks', 'dashboard'],
    settings: { BASE_URL },
  })
  const browser = await operator.signedIn()
  const own = new URL(operator.url).host

  /** Creates an event, or deletes one that does not exist. @returns the status */
  async function change(headers: Record<string, string>, method: 'POST' | 'DELETE'): Promise<number> {
    const path = method === 'POST' ? '/operator/events' : '/operator/events/unknown'
    const body = method === 'POST' ? JSON.stringify({ name: 'Trail' }) : undefined
    const type = method === 'POST' ? { 'Content-Type': 'application/json' } : {}
    const response = await fetch(operator.url + path, {
      method,
      headers: { Cookie: browser.cookie, ...type, ...headers },
      body,
    })
    return response.status
  }

  test('admits a signed-in operator to the routes of every service, under their own name', async () => {
    const { link } = await operator.service.deps.accounts.create('Camille', OWNER)
    const camille = operator.browser()
    const token = link.path.split('#token=')[1]
    await answered(200, camille.request('POST', '/operator/sign-in-link', { token, password: PASSWORD }))

    const { sessions } = await answered<SessionList>(200, camille.request('GET', '/operator/sessions'))
    await answered(200, camille.request('GET', '/operator/events'))

    assert.deepEqual(
      sessions.map(({ is_current }) => is_current),
      [true],
    )
  })

  test('answers 401 to everyone else, with no-store', async () => {
    const response = await operator.browser().request('GET', '/operator/events')

    await readProblem(response, 401, 'UNAUTHORIZED')
    assert.equal(response.headers.get('cache-control'), 'no-store')
  })

  test('answers 405 and 404 before checking the session', async () => {
    await readProblem(await operator.browser().request('PUT', '/operator/events'), 405, 'METHOD_NOT_ALLOWED')
    await readProblem(await operator.browser().request('GET', '/operator/nothing'), 404, 'NOT_FOUND')
  })

  test('refuses changes sent by a page of another site', async () => {
    const cases: [headers: Record<string, string>, isAccepted: boolean][] = [
      [{ 'Sec-Fetch-Site': 'same-origin' }, true],
      [{ 'Sec-Fetch-Site': 'none' }, true],
      [{ 'Sec-Fetch-Site': 'same-site' }, false],
      [{ 'Sec-Fetch-Site': 'cross-site' }, false],
      [{ 'Sec-Fetch-Site': 'cross-site', Origin: BASE_URL }, false],
      [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://proxy.example.org' }, true],
      [{ Origin: BASE_URL }, true],
      [{ Origin: `http://${own}` }, true],
      [{ Origin: 'http://localhost' }, false],
      [{ Origin: 'https://localhost:8443' }, false],
      [{ Origin: 'https://evil.example.org' }, false],
      [{ Origin: 'null' }, false],
      [{ Origin: '' }, false],
      [{}, true],
    ]

    for (const [headers, isAccepted] of cases) {
      const [created, deleted] = [await change(headers, 'POST'), await change(headers, 'DELETE')]
      assert.deepEqual([created, deleted], isAccepted ? [201, 404] : [403, 403], JSON.stringify(headers))
    }
  })

  test('admits reads from other sites, which cannot see the response', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' }

    await answered(200, browser.request('GET', '/operator/events', undefined, headers))
  })

  test('refuses sign-in and sign-out from other sites', async () => {
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
