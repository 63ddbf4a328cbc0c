import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { OWNER } from '../../src/operator/model/operator-rights.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'

describeOn(databases, 'secrets of operators', (database) => {
  test('are neither logged nor stored in plain text', async (t) => {
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
    const operator = await startOperator(t, database, { logger })
    const browser = await operator.signedIn()
    const secrets = [PASSWORD, operator.firstLink, browser.cookie.split('=')[1], 'not the right one']

    await operator.browser().request('POST', '/operator/session', { name: 'operator', password: 'not the right one' })
    await operator.browser().request('POST', '/operator/session', { name: 'operator', password: PASSWORD })
    await browser.request('PUT', '/operator/password', { current_password: PASSWORD, password: 'not the right one' })

    const { db } = operator.service.deps.database
    const stored = JSON.stringify([
      await db.selectFrom('operators').selectAll().execute(),
      await db.selectFrom('sessions').selectAll().execute(),
      await db.selectFrom('sign_in_links').selectAll().execute(),
    ])
    assert.ok(lines.some((line) => line.includes('sign-in failed') && line.includes('127.0.0.1')))
    assert.ok(lines.some((line) => line.includes('operator signed in')))
    for (const secret of secrets) assert.ok(!stored.includes(secret) && !lines.join('').includes(secret), secret)
  })

  test('are removed when they expire', async (t) => {
    const operator = await startOperator(t, database)
    await operator.signedIn()
    const { sessions, operators, accounts, database: opened } = operator.service.deps
    await accounts.create('Camille', OWNER)

    await sessions.removeExpired(operator.clock.nowMs + 14 * 86_400_000 - 1)
    await operators.removeExpiredLinks(operator.clock.nowMs + 7 * 86_400_000 - 1)
    const before = await opened.db.selectFrom('sessions').selectAll().execute()
    await sessions.removeExpired(operator.clock.nowMs + 14 * 86_400_000)
    await operators.removeExpiredLinks(operator.clock.nowMs + 7 * 86_400_000)

    assert.equal(before.length, 1)
    assert.deepEqual(await opened.db.selectFrom('sessions').selectAll().execute(), [])
    assert.deepEqual(await opened.db.selectFrom('sign_in_links').selectAll().execute(), [])
  })
})
