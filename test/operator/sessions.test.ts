import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionList } from '../../src/operator/model/schemas.ts'
import type { CreatedEvent } from '../../src/tracks/api/event-schemas.ts'
import type { Browser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { openEvents } from '../support/read-events.ts'
import { answered } from './support/answered.ts'
import { PASSWORD, type StartedOperator, startOperator } from './support/start-operator.ts'

const DAY_MS = 86_400_000
const NEW_PASSWORD = 'a loud town at noon'

describeOn(databases, 'sessions', (database, once) => {
  const isSignedIn = async (browser: Browser) => (await browser.request('GET', '/operator/session')).status === 200

  async function signInAgain(operator: StartedOperator, password = PASSWORD): Promise<Browser> {
    const browser = operator.browser()
    await answered(200, browser.request('POST', '/operator/session', { name: 'operator', password }))
    return browser
  }

  test('end after 14 days without use, and are extended by use', async (t) => {
    const operator = await startOperator(t, database)
    const [used, unused] = [await operator.signedIn(), await signInAgain(operator)]

    operator.clock.nowMs += 10 * DAY_MS
    const lengthened = await used.request('GET', '/operator/session')
    operator.clock.nowMs += 4 * DAY_MS

    assert.match(lengthened.headers.getSetCookie()[0], /Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.deepEqual([await isSignedIn(used), await isSignedIn(unused)], [true, false])
  })

  test('end after 90 days, even if in use', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()

    for (let day = 0; day < 80; day += 10) {
      operator.clock.nowMs += 10 * DAY_MS
      assert.ok(await isSignedIn(browser))
    }
    operator.clock.nowMs += 9 * DAY_MS
    const last = await browser.request('GET', '/operator/session')
    operator.clock.nowMs += DAY_MS

    assert.match(last.headers.getSetCookie()[0], /Max-Age=86400;/)
    assert.equal(await isSignedIn(browser), false)
  })

  test('are listed for their operator, who can end each of them', async (t) => {
    const operator = await startOperator(t, database)
    const first = await operator.signedIn()
    const second = await signInAgain(operator)

    const { sessions } = await answered<SessionList>(200, second.request('GET', '/operator/sessions'))
    const other = sessions.find((session) => !session.is_current)!
    const ended = await second.request('DELETE', `/operator/sessions/${other.id}`)
    const again = await second.request('DELETE', `/operator/sessions/${other.id}`)

    assert.deepEqual(sessions.map((session) => session.is_current).sort(), [false, true])
    assert.deepEqual([other.user_agent, other.address], ['node', '127.0.0.1'])
    assert.equal(ended.status, 204)
    await readProblem(again, 404, 'NOT_FOUND')
    assert.deepEqual([await isSignedIn(first), await isSignedIn(second)], [false, true])
  })

  test('are deleted from a browser that ends its own', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const { sessions } = await answered<SessionList>(200, browser.request('GET', '/operator/sessions'))

    await browser.request('DELETE', `/operator/sessions/${sessions[0].id}`)

    assert.equal(browser.cookie, '')
  })

  test('are replaced by the next one of the same browser', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()

    await browser.request('POST', '/operator/session', { name: 'operator', password: PASSWORD })

    const { sessions } = await answered<SessionList>(200, browser.request('GET', '/operator/sessions'))
    assert.equal(sessions.length, 1)
  })

  test('end at sign-out, which also succeeds without a session', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const { cookie } = browser

    const out = await browser.request('DELETE', '/operator/session')
    const again = await browser.request('DELETE', '/operator/session')

    assert.deepEqual([out.status, again.status, browser.cookie], [204, 204, ''])
    assert.equal(out.headers.get('clear-site-data'), '"cache"')
    browser.cookie = cookie
    assert.equal(await isSignedIn(browser), false)
  })

  test('of other browsers end when the password changes, and the old password is refused', async (t) => {
    const operator = await startOperator(t, database)
    const [first, second] = [await operator.signedIn(), await signInAgain(operator)]

    const changed = await second.request('PUT', '/operator/password', {
      current_password: PASSWORD,
      password: NEW_PASSWORD,
    })

    assert.equal(changed.status, 204)
    assert.deepEqual([await isSignedIn(first), await isSignedIn(second)], [false, true])
    const old = await operator.browser().request('POST', '/operator/session', { name: 'operator', password: PASSWORD })
    assert.equal(old.status, 401)
    assert.ok(await isSignedIn(await signInAgain(operator, NEW_PASSWORD)))
  })

  once('remain if the current password is wrong, and attempts are slowed down', async (t) => {
    const operator = await startOperator(t, database)
    const [first, second] = [await operator.signedIn(), await signInAgain(operator)]
    const change = (current_password: string, password = NEW_PASSWORD) =>
      second.request('PUT', '/operator/password', { current_password, password })

    await readProblem(await change(PASSWORD, 'operator1234'), 400, 'BAD_REQUEST')
    for (let attempt = 0; attempt < 5; attempt++) await readProblem(await change('not the right one'), 403, 'FORBIDDEN')
    await readProblem(await change(PASSWORD), 429, 'RATE_LIMIT')

    assert.deepEqual([await isSignedIn(first), await isSignedIn(second)], [true, true])
  })

  once('are not opened by an invalid cookie', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const right = browser.cookie
    const wrong = ['', 'trackpress_session=', `${right}x`, right.slice(0, -1), `x${right}`]

    for (const cookie of wrong) {
      browser.cookie = cookie
      await readProblem(await browser.request('GET', '/operator/session'), 401, 'UNAUTHORIZED')
    }

    browser.cookie = `theme=dark; ${right};`
    assert.ok(await isSignedIn(browser))
  })

  test('close their open streams on every instance when they end', async (t) => {
    const operator = await startOperator(t, database, { services: ['tracks', 'dashboard'] })
    const another = await operator.startAnother()
    const first = await operator.signedIn()
    const second = await signInAgain(operator)
    const { id } = await answered<CreatedEvent>(201, first.request('POST', '/operator/events', { name: 'Trail' }))
    const live = async ({ url }: StartedOperator, { cookie }: Browser) => {
      const events = await openEvents(`${url}/operator/events/${id}/live`, undefined, cookie)
      await events.until(({ event }) => event === 'ready')
      return events
    }
    const [here, there, kept] = [await live(operator, first), await live(another, first), await live(operator, second)]
    t.after(() => kept.close())

    await first.request('DELETE', '/operator/session')
    const endedHere = await here.isEnded()
    another.service.deps.sessionStreams.check()

    assert.deepEqual([endedHere, await there.isEnded()], [true, true])
    const signOut = second.request('DELETE', '/operator/session')
    assert.equal(await kept.isEnded(), true)
    await signOut
  })

  test('end on all instances at once', async (t) => {
    const operator = await startOperator(t, database)
    const another = await operator.startAnother()
    const browser = await operator.signedIn()
    const there = another.browser()
    there.cookie = browser.cookie
    assert.ok(await isSignedIn(there))

    await browser.request('DELETE', '/operator/session')

    assert.equal(await isSignedIn(there), false)
  })
})
