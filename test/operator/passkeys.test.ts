import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { inTransaction } from '#platform/database/transaction.ts'
import type { AuditRecordList } from '../../src/operator/audit/schemas.ts'
import type { Passkey, PasskeyList } from '../../src/operator/factors/schemas.ts'
import { lockOperator, setRecoveryCodes } from '../../src/operator/model/factors-store.ts'
import { OWNER } from '../../src/operator/model/operator-rights.ts'
import type { Session } from '../../src/operator/model/schemas.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { passkeyOf } from './support/second-factor.ts'
import { startOperator } from './support/start-operator.ts'

describeOn(databases, 'PATCH /operator/passkeys/:id', async (database) => {
  const operator = await startOperator({ after }, database)
  const { passkeysStore, accounts, audit } = operator.service.deps
  const browser = await operator.signedIn()
  const { operator: me } = await answered<Session>(200, browser.request('GET', '/operator/session'))

  let challenges = 0

  /** Returns the id of a new passkey. */
  async function addPasskey(operatorId: string): Promise<string> {
    const passkey = passkeyOf(operatorId, 'Laptop')
    const challenge = { challengeSha256: `challenge ${++challenges}`, expiresAtMs: operator.clock.nowMs }
    await passkeysStore.add(passkey, challenge, [])
    return passkey.id
  }

  const rename = (id: string, name: string) => browser.request('PATCH', `/operator/passkeys/${id}`, { name })

  test('renames a passkey, which the audit log notes with its name before', async () => {
    const id = await addPasskey(me.id)

    const renamed = await answered<Passkey>(200, rename(id, ' Work laptop '))

    const { passkeys } = await answered<PasskeyList>(200, browser.request('GET', '/operator/passkeys'))
    assert.equal(renamed.name, 'Work laptop')
    assert.deepEqual(passkeys, [renamed])
    await audit.flush()
    const { records } = await answered<AuditRecordList>(200, browser.request('GET', '/operator/audit?limit=1'))
    const [{ action, subject, outcome, details }] = records
    assert.deepEqual(
      [action, subject, outcome],
      ['updatePasskey', { kind: 'passkey', id, name: 'Laptop' }, 'succeeded'],
    )
    assert.deepEqual(details, { fields: ['name'], changes: { name: { from: 'Laptop', to: ' Work laptop ' } } })
  })

  test("does not find another operator's passkey, and refuses an empty name", async () => {
    const { operator: other } = await accounts.create('Other', OWNER)
    const theirs = await addPasskey(other.id)

    await readProblem(await rename(theirs, 'Mine'), 404, 'NOT_FOUND')
    await readProblem(await rename(await addPasskey(me.id), '  '), 400, 'BAD_REQUEST')

    assert.deepEqual(
      (await passkeysStore.list(other.id)).map(({ name }) => name),
      ['Laptop'],
    )
  })
})
describeOn(databases, 'DELETE /operator/passkeys/:id', async (database) => {
  const operator = await startOperator({ after }, database)
  const { passkeysStore, factors } = operator.service.deps
  await operator.signedIn()
  const { db } = operator.service.deps.database

  test('ends the recovery codes also if the other factor goes at the same time', async () => {
    const { id: operatorId } = (await operator.service.deps.operators.findByName('operator'))!
    const passkey = passkeyOf(operatorId, 'Laptop')
    const app = { operator_id: operatorId, secret: Buffer.from('secret'), created_at: 1, confirmed_at: 1 }
    await db.insertInto('passkeys').values(passkey).execute()
    await db
      .insertInto('totp_secrets')
      .values({ ...app, used_step: 0 })
      .execute()
    await setRecoveryCodes(db, operatorId, ['a', 'b'], 1)
    let removed: Promise<boolean> | undefined

    await inTransaction(db, async (transaction) => {
      await lockOperator(transaction, operatorId)
      await transaction.deleteFrom('totp_secrets').where('operator_id', '=', operatorId).execute()
      removed = passkeysStore.remove(operatorId, passkey.id)
      // It waits for the end of this transaction; without the lock, it would be over long before.
      await Promise.race([removed, wait(200)])
    })

    assert.equal(await removed, true)
    assert.deepEqual(await factors.summary(operatorId), {
      appSinceMs: undefined,
      passkeys: 0,
      recoveryCodesLeft: 0,
    })
  })
})
