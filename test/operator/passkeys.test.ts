import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { AuditRecordList } from '../../src/operator/audit/audit-schemas.ts'
import { OWNER } from '../../src/operator/domain/operator-rights.ts'
import type { Passkey, PasskeyList } from '../../src/operator/passkeys/passkey-schemas.ts'
import type { Session } from '../../src/operator/schemas.ts'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { passkeyOf } from './support/second-factor.ts'
import { startOperator } from './support/start-operator.ts'

for (const database of databases) {
  describe(`PATCH /operator/passkeys/:id on ${database.name}`, async () => {
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
      assert.deepEqual(details, { fields: ['name'] })
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
}
