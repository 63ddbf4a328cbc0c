import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { operatorCommands } from '../../src/operator/accounts/operator-commands.ts'
import type { SecondFactorList, SecondFactorNeeded } from '../../src/operator/factors/schemas.ts'
import { OWNER } from '../../src/operator/model/operator-rights.ts'
import { NO_PROVIDER } from '../../src/operator/model/provider-accounts.ts'
import type { ConfirmationMethods, OperatorList, Session } from '../../src/operator/model/schemas.ts'
import type { Browser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { beginApp, confirmApp, passkeyOf, sendCode, setUpApp } from './support/second-factor.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'

const STEP_MS = 30_000

describeOn(databases, 'second factors', async (database) => {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const operator = await startOperator({ after }, database, { logger })
  const { clock, service } = operator
  const list = (browser: Browser) => answered<SecondFactorList>(200, browser.request('GET', '/operator/second-factors'))

  let people = 0

  /** Another operator with a password, in a browser in which they are signed in. */
  async function newPerson() {
    const { operator: row, link } = await service.deps.accounts.create(`Person ${++people}`, OWNER)
    const browser = operator.browser()
    const token = link.path.split('#token=')[1]
    await answered(200, browser.request('POST', '/operator/sign-in-link', { token, password: PASSWORD }))
    const password = (from: Browser, text = PASSWORD) =>
      from.request('POST', '/operator/session', { name: row.name, password: text })
    return { id: row.id, name: row.name, browser, password }
  }

  /** One with an app, at a time when its last code is over. */
  async function withApp() {
    const person = await newPerson()
    const app = await setUpApp(person.browser, clock)
    clock.nowMs += 2 * STEP_MS
    /** Returns a new browser after the right password. */
    async function afterPassword(instance = operator): Promise<Browser> {
      const browser = instance.browser()
      await answered<SecondFactorNeeded>(202, person.password(browser))
      return browser
    }
    return { ...person, app, afterPassword }
  }

  test('an app counts once a code of it is confirmed, and brings ten recovery codes', async () => {
    const { name, browser, password } = await newPerson()
    const app = await beginApp(browser, clock)
    const unconfirmed = await list(browser)
    await answered(200, password(operator.browser()))

    const wrong = await confirmApp(browser, app.code(5))
    const { recovery_codes } = await answered<{ recovery_codes: string[] }>(200, confirmApp(browser, app.code()))

    const label = encodeURIComponent(`${name}@${new URL(operator.url).host}`)
    assert.ok(app.address.startsWith(`otpauth://totp/Trackpress:${label}?secret=${app.secret}&`), app.address)
    assert.deepEqual(unconfirmed, { authenticator_app: null, has_factor: false, recovery_codes_left: 0 })
    await readProblem(wrong, 403, 'FORBIDDEN')
    assert.equal(new Set(recovery_codes).size, 10)
    const confirmed = await list(browser)
    assert.equal(Date.parse(confirmed.authenticator_app!), clock.nowMs)
    assert.equal(confirmed.recovery_codes_left, 10)
  })

  test('set-up begins again with another secret, and ends after an hour', async () => {
    const { browser } = await newPerson()
    const first = await beginApp(browser, clock)
    clock.nowMs += 1
    const second = await beginApp(browser, clock)

    await readProblem(await confirmApp(browser, first.code()), 403, 'FORBIDDEN')
    clock.nowMs += 3_600_000
    await readProblem(await confirmApp(browser, second.code()), 410, 'GONE')

    await answered(200, browser.request('POST', '/operator/session/confirmation', { password: PASSWORD }))
    const third = await beginApp(browser, clock)
    await answered(200, confirmApp(browser, third.code()))
    await readProblem(await browser.request('POST', '/operator/authenticator-app'), 409, 'CONFLICT')
    await readProblem(await confirmApp(browser, third.code(1)), 410, 'GONE')
  })

  test('changes ask for a recent confirmation', async () => {
    const { browser } = await withApp()
    clock.nowMs += 600_000

    for (const [method, path] of [
      ['POST', 'authenticator-app'],
      ['DELETE', 'authenticator-app'],
      ['POST', 'recovery-codes'],
    ])
      await readProblem(await browser.request(method, `/operator/${path}`), 403, 'CONFIRMATION_REQUIRED')
  })

  test('a code confirms the session once, and nothing else does, the password neither', async () => {
    const { browser, app } = await withApp()
    const confirm = (proof: object) => browser.request('POST', '/operator/session/confirmation', proof)
    clock.nowMs += 600_000

    const { detail } = await readProblem(await confirm({ password: PASSWORD }), 403, 'FORBIDDEN')
    assert.match(detail, /The password alone is not enough/)
    for (const path of ['authenticator-app', 'passkeys/any'])
      await readProblem(await browser.request('DELETE', `/operator/${path}`), 403, 'CONFIRMATION_REQUIRED')
    const code = app.code()
    await answered(200, confirm({ code }))
    await readProblem(await confirm({ code }), 403, 'FORBIDDEN')
    await answered(200, confirm({ code: app.recoveryCodes![0] }))
    await readProblem(await confirm({ code: app.recoveryCodes![0] }), 403, 'FORBIDDEN')
    await readProblem(await confirm({}), 400, 'BAD_REQUEST')
    await readProblem(await confirm({ code, password: PASSWORD }), 400, 'BAD_REQUEST')
    const response = { id: 'x', rawId: 'x', type: 'public-key', response: {} }
    await readProblem(await confirm({ passkey: response }), 403, 'FORBIDDEN')
    await answered(201, browser.request('POST', '/operator/recovery-codes'))
  })

  test('wrong codes of a confirmation are slowed down, and a right password in between does not help', async () => {
    const { browser, app } = await withApp()
    const confirm = (code: string) => browser.request('POST', '/operator/session/confirmation', { code })
    const fail = async () => await readProblem(await confirm(app.code(5)), 403, 'FORBIDDEN')
    for (let attempt = 0; attempt < 4; attempt++) await fail()

    const passwords = { current_password: PASSWORD, password: 'a loud town at noon' }
    assert.equal((await browser.request('PUT', '/operator/password', passwords)).status, 204)
    await fail()

    await readProblem(await confirm(app.code()), 429, 'RATE_LIMIT')
  })

  test('the ways to confirm are those that the operator has', async () => {
    const { id, browser } = await newPerson()
    const { factors, passkeysStore, database: opened } = service.deps
    const ways = () => answered<ConfirmationMethods>(200, browser.request('GET', '/operator/session/confirmation'))
    const nothing = {
      password: false,
      has_password: false,
      may_have_credentials: true,
      authenticator_app: false,
      recovery_code: false,
      passkey: false,
      provider: null,
    }

    assert.deepEqual(await ways(), { ...nothing, password: true, has_password: true })
    await beginApp(browser, clock)
    assert.deepEqual(await ways(), { ...nothing, password: true, has_password: true })
    await setUpApp(browser, clock)
    assert.deepEqual(await ways(), { ...nothing, has_password: true, authenticator_app: true, recovery_code: true })
    await opened.db.updateTable('operators').set({ password_hash: null }).where('id', '=', id).execute()
    await passkeysStore.add(passkeyOf(id, 'Laptop'), { challengeSha256: id, expiresAtMs: clock.nowMs }, [])
    await factors.removeTotp(id)
    assert.deepEqual(await ways(), { ...nothing, recovery_code: true, passkey: true })
    const confirm = { password: PASSWORD }
    await readProblem(await browser.request('POST', '/operator/session/confirmation', confirm), 403, 'FORBIDDEN')
  })

  test('the last owner with a password or a passkey can be neither deleted nor demoted', async () => {
    const { operators, accounts, database: opened } = service.deps
    await opened.db.updateTable('operators').set({ role: 'viewer' }).execute()
    const { id } = await newPerson()
    await accounts.create('Provider only', OWNER)

    await assert.rejects(operators.delete(id), /last owner who can sign in/)
    await assert.rejects(
      operators.changeRights(id, () => ({ role: 'viewer', limitedTo: null })),
      /last owner who can sign in/,
    )

    const other = await newPerson()
    await operators.delete(id)
    assert.equal(await operators.find(id), undefined)
    assert.notEqual(await operators.find(other.id), undefined)
  })

  test('the password alone does not open a session any more, and a code of the app does', async () => {
    const { name, app, password } = await withApp()
    const browser = operator.browser()

    const needed = await answered<SecondFactorNeeded>(202, password(browser))
    const before = await browser.request('GET', '/operator/session')
    const { operator: who } = await answered<Session>(200, sendCode(browser, app.code()))

    assert.deepEqual(needed, { second_factors: ['authenticator_app', 'recovery_code'] })
    assert.deepEqual([before.status, who.name], [401, name])
    await answered(200, browser.request('GET', '/operator/session'))
  })

  test('the step is kept in a cookie that is hidden from scripts and other sites, for ten minutes', async () => {
    const { app, password, afterPassword } = await withApp()
    const response = await password(operator.browser())
    const browser = await afterPassword()
    clock.nowMs += 600_000

    const late = await sendCode(browser, app.code())

    const [cookie, ...more] = response.headers.getSetCookie()
    assert.match(cookie, /^trackpress_second_step=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.deepEqual(more, [])
    await readProblem(late, 410, 'GONE')
    await readProblem(await sendCode(operator.browser(), app.code()), 410, 'GONE')
  })

  test('a code works once, also on two instances at the same moment', async () => {
    const { app, afterPassword } = await withApp()
    const another = await operator.startAnother()
    const browsers = [await afterPassword(), await afterPassword(another), await afterPassword()]

    const answers = await Promise.all(browsers.map((browser) => sendCode(browser, app.code())))

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
    clock.nowMs += STEP_MS
    const again = await afterPassword()
    await readProblem(await sendCode(again, app.code(-1)), 401, 'UNAUTHORIZED')
    await answered(200, sendCode(again, app.code()))
  })

  test('a recovery code works once, however it is typed', async () => {
    const { app, afterPassword } = await withApp()
    const [code] = app.recoveryCodes!

    await answered(200, sendCode(await afterPassword(), ` ${code.toUpperCase().replaceAll('-', ' ')}`))
    const again = await sendCode(await afterPassword(), code)

    const { detail } = await readProblem(again, 401, 'UNAUTHORIZED')
    assert.match(detail, /wrong, or has been used/)
  })

  test('new recovery codes end earlier ones, and none remain without a second factor', async () => {
    const { browser, app, password, afterPassword } = await withApp()
    const replace = () => browser.request('POST', '/operator/recovery-codes')

    const { recovery_codes } = await answered<{ recovery_codes: string[] }>(201, replace())
    const earlier = await sendCode(await afterPassword(), app.recoveryCodes![0])
    await answered(200, sendCode(await afterPassword(), recovery_codes[0]))
    const left = await list(browser)
    const removed = await browser.request('DELETE', '/operator/authenticator-app')

    assert.equal(earlier.status, 401)
    assert.equal(left.recovery_codes_left, 9)
    assert.equal(removed.status, 204)
    assert.deepEqual(await list(browser), { authenticator_app: null, has_factor: false, recovery_codes_left: 0 })
    await answered(200, password(operator.browser()))
    await readProblem(await replace(), 409, 'CONFLICT')
    await readProblem(await browser.request('DELETE', '/operator/authenticator-app'), 404, 'NOT_FOUND')
  })

  test('wrong codes are slowed down, and right passwords in between do not help', async () => {
    const { app, password, afterPassword } = await withApp()
    const browser = await afterPassword()

    for (let attempt = 0; attempt < 5; attempt++) {
      await readProblem(await sendCode(browser, app.code(9)), 401, 'UNAUTHORIZED')
      await answered(202, password(browser))
    }
    const slowed = await sendCode(browser, app.code())
    clock.nowMs += 1000
    const afterwards = await sendCode(await afterPassword(), app.code())

    await readProblem(slowed, 429, 'RATE_LIMIT')
    assert.equal(slowed.headers.get('retry-after'), '1')
    assert.equal(afterwards.status, 200)
  })

  test('wrong codes of strangers do not slow down a known browser', async () => {
    const { browser: known, app, password, afterPassword } = await withApp()
    await known.request('DELETE', '/operator/session')
    const stranger = await afterPassword()
    for (let attempt = 0; attempt < 8; attempt++) await sendCode(stranger, app.code(9))

    await answered(202, password(known))

    await readProblem(await sendCode(stranger, app.code()), 429, 'RATE_LIMIT')
    await answered(200, sendCode(known, app.code()))
  })

  test('a changed password ends a sign-in that waits for its second factor', async () => {
    const { browser, app, afterPassword } = await withApp()
    const waiting = await afterPassword()

    const passwords = { current_password: PASSWORD, password: 'a loud town at noon' }
    await browser.request('PUT', '/operator/password', passwords)

    await readProblem(await sendCode(waiting, app.code()), 410, 'GONE')
  })

  test('a sign-in link sets the password and does not replace the second factor', async () => {
    const { id, browser, app, password } = await withApp()
    const { path } = await service.deps.accounts.recover(id)
    const link = { token: path.split('#token=')[1], password: 'a loud town at noon' }
    const visitor = operator.browser()

    await answered(202, visitor.request('POST', '/operator/sign-in-link', link))

    await readProblem(await visitor.request('GET', '/operator/session'), 401, 'UNAUTHORIZED')
    await readProblem(await browser.request('GET', '/operator/session'), 401, 'UNAUTHORIZED')
    await answered(200, sendCode(visitor, app.code()))
    await readProblem(await password(operator.browser()), 401, 'UNAUTHORIZED')
  })

  test('the list of operators tells who has one', async () => {
    const { name: mine, browser } = await withApp()
    const other = await newPerson()

    const { operators } = await answered<OperatorList>(200, browser.request('GET', '/operator/operators'))

    const shown = Object.fromEntries(operators.map(({ name, has_second_factor }) => [name, has_second_factor]))
    assert.deepEqual([shown[mine], shown[other.name]], [true, false])
  })

  test('the admin command removes them and ends the sessions', async () => {
    const { name, browser, password } = await withApp()
    const commands = operatorCommands({
      database: service.deps.database,
      baseUrl: operator.url,
      known: { events: undefined, workspaces: undefined },
      providerAccounts: NO_PROVIDER,
      now: service.deps.now,
    })
    const reset = commands.find(({ usage }) => usage.startsWith('operators reset-factors'))!

    const result = (await reset.run([name.toUpperCase()], {})) as { removed: object; ended_sessions: number }

    assert.deepEqual(result.removed, { authenticator_app: true, passkeys: 0, recovery_codes: 10 })
    assert.equal(result.ended_sessions, 1)
    assert.equal((await browser.request('GET', '/operator/session')).status, 401)
    await answered(200, password(operator.browser()))
  })

  test('end with their operator', async () => {
    const { id } = await withApp()

    await service.deps.operators.delete(id)

    const { db } = service.deps.database
    assert.deepEqual(await db.selectFrom('totp_secrets').selectAll().where('operator_id', '=', id).execute(), [])
    assert.deepEqual(await db.selectFrom('recovery_codes').selectAll().where('operator_id', '=', id).execute(), [])
  })

  test('are neither logged nor stored in plain text', async () => {
    const { app, afterPassword } = await withApp()
    const browser = await afterPassword()
    await sendCode(browser, app.code(9))
    await answered(200, sendCode(browser, app.code()))
    const { db } = service.deps.database
    const apps = await db.selectFrom('totp_secrets').selectAll().execute()
    const codes = await db.selectFrom('recovery_codes').selectAll().execute()

    const stored = JSON.stringify([apps, codes]) + apps.map(({ secret }) => Buffer.from(secret).toString('latin1'))
    const logged = lines.join('')
    assert.ok(logged.includes('second factor failed') && logged.includes('signed in with a second factor'))
    const secrets = [app.secret, app.code(), app.code(9), ...app.recoveryCodes!, ...app.recoveryCodes!.map(bare)]
    // Whole words, because six digits may well be part of a time or an id.
    const words = new Set(`${stored} ${logged}`.split(/[^\w-]+/))
    for (const secret of secrets) assert.ok(!words.has(secret), secret)
  })

  test('apps that were never confirmed are removed', async () => {
    const { id, browser } = await newPerson()
    await beginApp(browser, clock)
    const { factors } = service.deps
    const isStored = async () => (await factors.findTotp(id)) !== undefined

    await factors.removeUnconfirmed(clock.nowMs)
    const kept = await isStored()
    await factors.removeUnconfirmed(clock.nowMs + 1)

    assert.deepEqual([kept, await isStored()], [true, false])
  })
})

function bare(code: string): string {
  return code.replaceAll('-', '')
}
