import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { AuditRecordList } from '../../src/operator/audit/schemas.ts'
import { OWNER } from '../../src/operator/model/operator-rights.ts'
import type { OperatorSettings, Session } from '../../src/operator/model/schemas.ts'
import type { Browser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { describedOperations, needsSession } from '../support/described-operations.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { passkeyOf, sendCode, setUpApp } from './support/second-factor.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'

const SERVICES = ['tracks', 'publications', 'dashboard'] as const

/** What an operator may do who still has to set up a second factor. */
const SETTING_UP = [
  'addAuthenticatorApp',
  'confirmSession',
  'confirmWithProvider',
  'confirmWithProviderAddress',
  'createAuthenticatorApp',
  'createConfirmationOptions',
  'createPasskey',
  'createPasskeyOptions',
  'getConfirmationMethods',
  'getSession',
  'getSettings',
  'listPasskeys',
  'listSecondFactors',
]

describeOn(databases, 'a required second factor', async (database, once) => {
  const settings = { REQUIRE_SECOND_FACTOR: 'true' }
  const operator = await startOperator({ after }, database, { services: SERVICES, settings })
  const { accounts, passkeysStore, auditStore, audit, database: stored } = operator.service.deps
  const { db } = stored

  let people = 0

  /** Another owner with a password and no second factor, in a browser in which they are signed in. */
  async function newPerson() {
    const { operator: row, link } = await accounts.create(`Person ${++people}`, OWNER)
    const browser = operator.browser()
    const token = link.path.split('#token=')[1]
    const session = await answered<Session>(
      200,
      browser.request('POST', '/operator/sign-in-link', { token, password: PASSWORD }),
    )
    return { id: row.id, name: row.name, browser, session }
  }

  const needs = async (browser: Browser) =>
    (await answered<Session>(200, browser.request('GET', '/operator/session'))).needs_second_factor

  once('lets an operator without one set one up, and nothing else', async () => {
    const { browser, session } = await newPerson()
    const document = await answered<OpenAPIV3_1.Document>(200, fetch(`${operator.url}/openapi.json`))
    const guarded = describedOperations(document).filter(
      (operation) => operation.path.startsWith('/operator/') && needsSession(operation),
    )

    const admitted: string[] = []
    for (const { operationId, path, method } of guarded) {
      const address = path.replaceAll(/\{\w+\}/g, () => randomUUID())
      const response = await browser.request(method.toUpperCase(), address)
      if (!(await response.text()).includes('"SECOND_FACTOR_REQUIRED"')) admitted.push(operationId)
    }

    assert.equal(session.needs_second_factor, true)
    assert.ok(guarded.length > 90, `${guarded.length}`)
    assert.deepEqual(admitted.sort(), SETTING_UP)
    const { second_factor_required } = await answered<OperatorSettings>(
      200,
      browser.request('GET', '/operator/settings'),
    )
    assert.equal(second_factor_required, true)
  })

  test('is met by an authenticator app, until it is removed', async () => {
    const { name, browser } = await newPerson()
    const events = () => browser.request('GET', '/operator/events')
    await readProblem(await events(), 403, 'SECOND_FACTOR_REQUIRED')

    const app = await setUpApp(browser, operator.clock)

    assert.equal(await needs(browser), false)
    await answered(200, events())
    operator.clock.nowMs += 60_000
    const elsewhere = operator.browser()
    await answered(202, elsewhere.request('POST', '/operator/session', { name, password: PASSWORD }))
    assert.equal((await answered<Session>(200, sendCode(elsewhere, app.code()))).needs_second_factor, false)
    assert.equal((await browser.request('DELETE', '/operator/authenticator-app')).status, 204)
    assert.equal(await needs(browser), true)
    await readProblem(await events(), 403, 'SECOND_FACTOR_REQUIRED')
  })

  test('is met by a passkey alone', async () => {
    const { id, browser } = await newPerson()
    const challenge = { challengeSha256: id, expiresAtMs: operator.clock.nowMs }

    await passkeysStore.add(passkeyOf(id, 'Laptop'), challenge, [])

    assert.equal(await needs(browser), false)
    await answered(200, browser.request('GET', '/operator/events'))
  })

  test('is left to the identity provider for operators without a password', async () => {
    const { id, browser } = await newPerson()
    const person = { issuer: 'https://sso.example.org/', subject: id, operator_id: id, created_at: 0 }
    await db.insertInto('identities').values(person).execute()

    const withPassword = await needs(browser)
    await db.updateTable('operators').set({ password_hash: null }).where('id', '=', id).execute()

    assert.deepEqual([withPassword, await needs(browser)], [true, false])
    await answered(200, browser.request('GET', '/operator/events'))
  })

  test('is noted in the audit log when it begins and when it ends', async () => {
    const { id, browser } = await newPerson()
    const challenge = { challengeSha256: `audit ${id}`, expiresAtMs: operator.clock.nowMs }
    await passkeysStore.add(passkeyOf(id, 'Laptop'), challenge, [])
    await operator.startAnother()
    for (const isRequired of [true, false, false, true])
      await auditStore.noteRequiredFactor(isRequired, operator.clock.nowMs)

    await audit.flush()
    const { records } = await answered<AuditRecordList>(
      200,
      browser.request('GET', '/operator/audit?source=server&limit=500'),
    )

    const noted = records.map(({ action }) => action).filter((action) => action.includes('SecondFactor'))
    assert.deepEqual(noted, ['requireSecondFactor', 'stopRequiringSecondFactor', 'requireSecondFactor'])
  })
})
