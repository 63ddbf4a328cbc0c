import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { createAuditStore } from '../../src/operator/audit/audit-store.ts'
import { AuditCheck, verifyAuditLog } from '../../src/operator/audit/verify-audit-log.ts'
import { openOperatorDatabase } from '../../src/operator/model/tables.ts'
import type { Logger } from '../../src/platform/basics/logger.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'

const DAY_MS = 86_400_000

describeOn(databases, 'the records of the audit log', async (database) => {
  const { url: databaseUrl, dataDir } = await database.open({ after })
  const settings = { databaseUrl, dataDir, databaseConnections: 2, logger: { info() {}, warn() {} } }
  const { db, close } = await openOperatorDatabase(settings)
  after(close)
  const store = createAuditStore(db)
  const nowMs = Date.now()

  test('are removed after their time, which the log says', async () => {
    const record = (daysAgo: number) => ({ at: nowMs - daysAgo * DAY_MS, action: `${daysAgo} days ago` })
    await store.append([record(40), record(35), record(32), record(29), record(1)])

    const removedForEver = await store.removeOld(nowMs)
    await store.keepFor(30 * DAY_MS, nowMs)
    const removed = await store.removeOld(nowMs)
    const removedAgain = await store.removeOld(nowMs)

    assert.deepEqual([removedForEver, removed, removedAgain], [0, 3, 0])
    const left = await store.after(0, 100)
    assert.deepEqual(
      left.map(({ action }) => action),
      ['29 days ago', '1 days ago', 'setAuditRetention', 'removeOldAuditRecords'],
    )
    assert.deepEqual(JSON.parse(left[2].details), { keep_days: 30, kept_days_before: 0 })
    assert.equal((await verifyAuditLog(store, undefined)).fault, null)
  })

  test('are found to be changed, exchanged or missing once somebody has lifted the triggers', async () => {
    const triggers =
      database.name === 'SQLite'
        ? ['drop trigger audit_log_refuses_updates', 'drop trigger audit_log_refuses_deletions']
        : ['alter table audit_log disable trigger user']
    for (const trigger of triggers) await sql.raw(trigger).execute(db)
    const faultAfter = async (statement: string, back?: string) => {
      await sql.raw(statement).execute(db)
      const { fault } = await verifyAuditLog(store, undefined)
      if (back !== undefined) await sql.raw(back).execute(db)
      return fault
    }
    const registry = new Registry()
    const lines: object[] = []
    const logger = { error: (line: object) => lines.push(line) } as unknown as Logger
    const check = new AuditCheck({ store, registry, logger, now: () => 5000 })
    const checked = async () => {
      await check.check()
      const { values } = await registry.getSingleMetric('audit_chain_broken')!.get()
      return values[0].value
    }
    // The newest record is about the removal, which is missed by itself.
    await store.append([{ at: 5000, source: 'server', action: 'test', outcome: 'succeeded' }])
    const unchecked = await registry.metrics()
    const asItWas = await checked()
    await sql.raw(`update audit_log set actor_name = 'nobody' where position = 5`).execute(db)
    const whenChanged = await checked()
    await sql.raw('update audit_log set actor_name = null where position = 5').execute(db)
    const whenRestored = await checked()
    const { position } = (await store.head())!
    await sql.raw(`delete from audit_log where position = ${position}`).execute(db)
    const whenShortened = await checked()
    const metrics = await registry.metrics()

    assert.match(unchecked, /^audit_chain_checked_seconds\{service="operator"\} 0$/m)
    assert.deepEqual([asItWas, whenChanged, whenRestored, whenShortened], [0, 1, 0, 1])
    assert.deepEqual(
      lines.map((line) => (line as { position: number }).position),
      [5, position],
    )
    assert.match(metrics, /^audit_chain_checked_seconds\{service="operator"\} 5$/m)
    const { records, newestMs } = (await store.extent())!
    assert.equal(records, (await store.after(0, 1000)).length)
    assert.match(metrics, new RegExp(`^audit_records\\{service="operator"\\} ${records}$`, 'm'))
    assert.match(metrics, new RegExp(`^audit_newest_record_seconds\\{service="operator"\\} ${newestMs / 1000}$`, 'm'))

    const changed = await faultAfter(
      `update audit_log set actor_name = 'nobody' where position = 5`,
      'update audit_log set actor_name = null where position = 5',
    )
    const missing = await faultAfter('delete from audit_log where position = 5')
    const withoutStart = await faultAfter('delete from audit_log where position = 4')

    assert.deepEqual([changed?.position, missing?.position, withoutStart?.position], [5, 6, 6])
    assert.match(changed?.problem ?? '', /does not match its hash/)
    assert.match(missing?.problem ?? '', /missing after position 4/)
    assert.match(withoutStart?.problem ?? '', /removed, and the log does not say so/)
  })
})
