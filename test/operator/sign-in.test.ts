import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailable } from '#platform/basics/errors.ts'
import { wrongCredentials } from '../../src/operator/model/errors.ts'
import { OWNER } from '../../src/operator/model/operator-rights.ts'
import type { Session } from '../../src/operator/model/schemas.ts'
import { HasherBusyError } from '../../src/platform/credentials/password-hash.ts'
import { createSignInThrottle } from '../../src/platform/credentials/sign-in-throttle.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { PASSWORD, type StartedOperator, startOperator } from './support/start-operator.ts'

describeOn(databases, 'POST /operator/session', (database, once) => {
  const signIn = (operator: StartedOperator, name: string, password: string) =>
    operator.browser().request('POST', '/operator/session', { name, password })

  test('accepts the name in any case, and the password', async (t) => {
    const operator = await startOperator(t, database)
    await operator.signedIn()

    const response = await signIn(operator, 'OPERATOR', PASSWORD)

    const { operator: who, expires_at } = await answered<Session>(200, response)
    assert.equal(who.name, 'operator')
    assert.equal(Date.parse(expires_at), operator.clock.nowMs + 14 * 86_400_000)
  })

  test('sets a cookie that is hidden from scripts and other sites', async (t) => {
    const operator = await startOperator(t, database)
    await operator.signedIn()

    const response = await signIn(operator, 'operator', PASSWORD)

    assert.equal(response.headers.get('cache-control'), 'no-store')
    const [session, known, ...more] = response.headers.getSetCookie()
    assert.deepEqual(more, [])
    assert.match(session, /^trackpress_session=ses_[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.match(known, /^trackpress_browser=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  test('restricts the cookie to the host and to TLS if the public address uses TLS', async (t) => {
    const operator = await startOperator(t, database, { settings: { BASE_URL: 'https://localhost' } })
    const browser = await operator.signedIn()

    const response = await signIn(operator, 'operator', PASSWORD)

    const [cookie] = response.headers.getSetCookie()
    assert.match(
      cookie,
      /^__Host-trackpress_session=ses_[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    assert.equal((await browser.request('GET', '/operator/session')).status, 200)
    browser.cookie = browser.cookie.replace('__Host-', '')
    assert.equal((await browser.request('GET', '/operator/session')).status, 401)
  })

  test('restricts the cookie to TLS if a proxy reports TLS', async (t) => {
    const operator = await startOperator(t, database, { settings: { TRUSTED_PROXIES: '127.0.0.1' } })
    await operator.signedIn()

    const response = await operator
      .browser()
      .request(
        'POST',
        '/operator/session',
        { name: 'operator', password: PASSWORD },
        { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.7' },
      )

    assert.match(response.headers.getSetCookie()[0], /^trackpress_session=.*; Secure; SameSite=Strict$/)
  })

  test('answers identically to an unknown name, a wrong password, and an operator without a password', async (t) => {
    const operator = await startOperator(t, database)
    const withoutPassword = await signIn(operator, 'operator', PASSWORD)
    await operator.signedIn()

    const answers = [
      withoutPassword,
      await signIn(operator, 'operator', 'not the right one'),
      await signIn(operator, 'nobody', PASSWORD),
      await signIn(operator, '', ''),
      await signIn(operator, "' or 1=1 --", PASSWORD),
    ]

    const said = await Promise.all(answers.map((answer) => readProblem(answer, 401, 'UNAUTHORIZED')))
    assert.equal(new Set(said.map(({ detail }) => detail)).size, 1)
    for (const answer of answers) {
      assert.deepEqual(answer.headers.getSetCookie(), [])
      assert.match(answer.headers.get('www-authenticate')!, /^Cookie /)
    }
  })

  once('slows down repeated failures for a name, whether or not it exists', async (t) => {
    for (const name of ['operator', 'nobody']) {
      const operator = await startOperator(t, database)
      await operator.signedIn()
      for (let attempt = 0; attempt < 5; attempt++)
        await readProblem(await signIn(operator, name, 'not the right one'), 401, 'UNAUTHORIZED')

      const slowed = await signIn(operator, name.toUpperCase(), PASSWORD)
      operator.clock.nowMs += 1000
      const afterwards = await signIn(operator, name, 'not the right one')
      const slowedMore = await signIn(operator, name, PASSWORD)

      await readProblem(slowed, 429, 'RATE_LIMIT')
      assert.equal(slowed.headers.get('retry-after'), '1')
      assert.equal(afterwards.status, 401)
      assert.equal(slowedMore.headers.get('retry-after'), '2')
    }
  })

  once('slows down an address that fails for many names', async (t) => {
    const operator = await startOperator(t, database)
    await operator.signedIn()
    for (let attempt = 0; attempt < 10; attempt++) await signIn(operator, `name ${attempt}`, PASSWORD)

    const slowed = await signIn(operator, 'operator', PASSWORD)
    operator.clock.nowMs += 1000
    const afterwards = await signIn(operator, 'operator', PASSWORD)

    await readProblem(slowed, 429, 'RATE_LIMIT')
    assert.equal(afterwards.status, 200)
  })

  test('admits only a few of many concurrent guesses', async (t) => {
    const operator = await startOperator(t, database)
    await operator.signedIn()

    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(operator, 'operator', 'a wrong guess')))

    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 401).length, 5)
    assert.equal(statuses.filter((status) => status === 429).length, 25)
  })

  test('counts failures across instances', async (t) => {
    const operator = await startOperator(t, database)
    const another = await operator.startAnother()
    for (let attempt = 0; attempt < 5; attempt++) await signIn(operator, 'operator', 'a wrong guess')

    await readProblem(await signIn(another, 'operator', 'a wrong guess'), 429, 'RATE_LIMIT')
  })

  test('does not count an attempt that the server could not check', async (t) => {
    const { service } = await startOperator(t, database)
    const throttle = createSignInThrottle(service.deps.failures, service.deps.now)
    const attempt = () =>
      throttle.attempt({ address: '192.0.2.1', nameKey: 'operator' }, async () => {
        throw unavailable()
      })

    for (let time = 0; time < 6; time++) await assert.rejects(attempt(), { code: 'UNAVAILABLE' })
  })

  test('counts attempts that were refused because too many hashes wait, for the address and not for the name', async (t) => {
    const { service } = await startOperator(t, database)
    const throttle = createSignInThrottle(service.deps.failures, service.deps.now)
    const attempt = (address: string) =>
      throttle.attempt({ address, nameKey: 'operator' }, async () => {
        throw new HasherBusyError()
      })
    for (let time = 0; time < 10; time++) await assert.rejects(attempt('192.0.2.1'), { code: 'UNAVAILABLE' })

    await assert.rejects(attempt('192.0.2.1'), { code: 'RATE_LIMIT' })
    await assert.rejects(attempt('192.0.2.2'), { code: 'UNAVAILABLE' })
  })

  once('slows down the addresses of one /48 together', async (t) => {
    const { service } = await startOperator(t, database)
    const throttle = createSignInThrottle(service.deps.failures, service.deps.now)
    const attempt = (site: number, subnet: number) =>
      throttle.attempt({ address: `2001:db8:${site}:${subnet}::1`, nameKey: `${site} ${subnet}` }, async () => {
        throw wrongCredentials()
      })
    for (let subnet = 0; subnet < 40; subnet++) await assert.rejects(attempt(1, subnet), { code: 'UNAUTHORIZED' })

    await assert.rejects(attempt(1, 40), { code: 'RATE_LIMIT' })
    await assert.rejects(attempt(2, 40), { code: 'UNAUTHORIZED' })
  })

  test('lets an operator in from a known browser while strangers fail for the name and the address', async (t) => {
    const operator = await startOperator(t, database)
    const known = await operator.signedIn()
    await known.request('DELETE', '/operator/session')
    for (let attempt = 0; attempt < 12; attempt++) await signIn(operator, 'operator', 'not the right one')

    const fromKnown = await known.request('POST', '/operator/session', { name: 'operator', password: PASSWORD })

    await readProblem(await signIn(operator, 'operator', PASSWORD), 429, 'RATE_LIMIT')
    assert.equal(fromKnown.status, 200)
  })

  test('slows down a known browser by its own failures, and nobody else by them', async (t) => {
    const operator = await startOperator(t, database)
    const known = await operator.signedIn()
    const guess = () => known.request('POST', '/operator/session', { name: 'operator', password: 'not the right one' })
    for (let attempt = 0; attempt < 5; attempt++) await readProblem(await guess(), 401, 'UNAUTHORIZED')

    await readProblem(await guess(), 429, 'RATE_LIMIT')

    assert.equal((await signIn(operator, 'operator', PASSWORD)).status, 200)
  })

  test('knows a browser only for the operator who signed in there', async (t) => {
    const operator = await startOperator(t, database)
    const known = await operator.signedIn()
    await operator.service.deps.accounts.create('Camille', OWNER)
    const guess = (name: string) => known.request('POST', '/operator/session', { name, password: 'not the right one' })

    for (let attempt = 0; attempt < 5; attempt++) await readProblem(await guess('Camille'), 401, 'UNAUTHORIZED')
    known.known = known.known.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const altered = await guess('camille')

    await readProblem(await signIn(operator, 'Camille', PASSWORD), 429, 'RATE_LIMIT')
    await readProblem(altered, 429, 'RATE_LIMIT')
  })

  test('remembers a limited number of failures, the most recent ones', async (t) => {
    const { failures } = (await startOperator(t, database)).service.deps
    const fail = (callerSha256: string, lastMs: number) =>
      failures.count([{ callerSha256, known: undefined, next: { count: 1, lastMs } }])
    // The upkeep of the start removes old ones.
    const startMs = Date.now()
    for (const [i, caller] of ['a', 'b', 'c'].entries()) await fail(caller, startMs + i)

    await failures.removeExcess(2)

    const known = await Promise.all(['a', 'b', 'c'].map((caller) => failures.find(caller)))
    assert.deepEqual(known, [undefined, { count: 1, lastMs: startMs + 1 }, { count: 1, lastMs: startMs + 2 }])
  })

  once('never delays a correct sign-in', async (t) => {
    const operator = await startOperator(t, database)
    await operator.signedIn()

    for (let attempt = 0; attempt < 15; attempt++)
      assert.equal((await signIn(operator, 'operator', PASSWORD)).status, 200)
  })

  test('accepts only JSON', async (t) => {
    const operator = await startOperator(t, database)

    const form = await fetch(`${operator.url}/operator/session`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'operator', password: PASSWORD }),
    })
    const long = await signIn(operator, 'operator', 'x'.repeat(40_000))

    await readProblem(form, 415, 'UNSUPPORTED_MEDIA_TYPE')
    await readProblem(long, 413, 'PAYLOAD_TOO_LARGE')
  })
})
