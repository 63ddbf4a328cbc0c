import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorList, Session, SignInLink } from '../../src/operator/model/schemas.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'

const HOUR_MS = 3_600_000

describeOn(databases, 'POST /operator/sign-in-link', async (database, once) => {
  test('sets the password and signs in, only once', async (t) => {
    const operator = await startOperator(t, database)
    const browser = operator.browser()
    const link = { token: operator.firstLink, password: PASSWORD }

    const first = await browser.request('POST', '/operator/sign-in-link', link)
    const again = await operator.browser().request('POST', '/operator/sign-in-link', link)

    const session = await answered<Session>(200, first)
    assert.equal(session.operator.name, 'operator')
    assert.deepEqual(await answered(200, browser.request('GET', '/operator/session')), session)
    await readProblem(again, 410, 'GONE')
    const signedIn = await operator
      .browser()
      .request('POST', '/operator/session', { name: 'operator', password: PASSWORD })
    assert.equal(signedIn.status, 200)
  })

  test('tells whose link it is without using it, and that it was used', async (t) => {
    const operator = await startOperator(t, database)
    const browser = operator.browser()
    const check = () => browser.request('POST', '/operator/sign-in-link/check', { token: operator.firstLink })

    const before = [await answered(200, check()), await answered(200, check())]
    const link = { token: operator.firstLink, password: PASSWORD }
    const used = await browser.request('POST', '/operator/sign-in-link', link)

    assert.deepEqual(before, [{ name: 'operator' }, { name: 'operator' }])
    assert.equal(used.status, 200)
    await readProblem(await check(), 410, 'GONE')
  })

  test('accepts the link of the first start for a week', async (t) => {
    const operators = await Promise.all([startOperator(t, database), startOperator(t, database)])
    const [inTime, late] = await Promise.all(
      operators.map((operator, at) => {
        operator.clock.nowMs += 7 * 24 * HOUR_MS - 1 + at
        const body = { token: operator.firstLink, password: PASSWORD }
        return operator.browser().request('POST', '/operator/sign-in-link', body)
      }),
    )

    await readProblem(late, 410, 'GONE')
    assert.equal(inTime.status, 200)
  })

  test('accepts a recovery link for an hour; it replaces earlier links, and its use ends all sessions', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const { operators } = await answered<OperatorList>(200, browser.request('GET', '/operator/operators'))
    const create = () =>
      answered<SignInLink>(201, browser.request('POST', `/operator/operators/${operators[0].id}/sign-in-link`))

    const replaced = await create()
    const link = await create()
    const before = await browser.request('GET', '/operator/session')
    const use = async (url: string) =>
      await operator
        .browser()
        .request('POST', '/operator/sign-in-link', { token: url.split('#token=')[1], password: `${PASSWORD} 2` })

    assert.equal(Date.parse(link.expires_at), operator.clock.nowMs + HOUR_MS)
    assert.ok(link.url.startsWith(`${operator.url}/dashboard/sign-in#token=`))
    assert.equal(before.status, 200)
    await readProblem(await use(replaced.url), 410, 'GONE')
    assert.equal((await use(link.url)).status, 200)
    await readProblem(await browser.request('GET', '/operator/session'), 401, 'UNAUTHORIZED')
    await readProblem(await use(link.url), 410, 'GONE')
  })

  once('keeps the link valid if the password is refused', async (t) => {
    const operator = await startOperator(t, database)
    const use = (password: unknown) =>
      operator.browser().request('POST', '/operator/sign-in-link', { token: operator.firstLink, password })

    for (const password of ['short', 'x'.repeat(201), 'operator1234', 'Password2026!', 'aaaaaaaaaaaaaaa', 7])
      assert.deepEqual(await wrongPlaces(await use(password)), ['password'])

    assert.equal((await use(PASSWORD)).status, 200)
  })

  test('opens one session for concurrent requests with one link', async (t) => {
    const operator = await startOperator(t, database)

    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        operator.browser().request('POST', '/operator/sign-in-link', { token: operator.firstLink, password: PASSWORD }),
      ),
    )

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410, 410, 410, 410])
  })

  once('refuses an unknown token, and slows down guessing', async (t) => {
    const operator = await startOperator(t, database)
    const guess = () =>
      operator.browser().request('POST', '/operator/sign-in-link', { token: 'lnk_x', password: PASSWORD })

    for (let attempt = 0; attempt < 10; attempt++) await readProblem(await guess(), 410, 'GONE')

    const slowed = await guess()
    await readProblem(slowed, 429, 'RATE_LIMIT')
    assert.equal(slowed.headers.get('retry-after'), '1')
    const check = operator.browser().request('POST', '/operator/sign-in-link/check', { token: 'lnk_y' })
    await readProblem(await check, 429, 'RATE_LIMIT')
  })
})

describeOn(databases, 'an empty installation', (database) => {
  test('gets one first operator, even if several instances start concurrently', async (t) => {
    const operator = await startOperator(t, database)
    const another = await operator.startAnother()
    await operator.service.deps.database.db.deleteFrom('operators').execute()

    const made = await Promise.all([operator, another].map(({ service }) => service.createFirstOperator()))

    assert.equal(made.filter((first) => first !== undefined).length, 1)
    assert.equal(await operator.service.createFirstOperator(), undefined)
    assert.equal(another.firstLink, '')
  })
})
