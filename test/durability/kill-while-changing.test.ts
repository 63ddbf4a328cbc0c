import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAuditQueries } from '../../src/operator/audit/audit-records.ts'
import { createAuditStore } from '../../src/operator/audit/audit-store.ts'
import { verifyAuditLog } from '../../src/operator/audit/verify-audit-log.ts'
import { openOperatorDatabase } from '../../src/operator/model/database.ts'
import { createEventsStore } from '../../src/tracks/model/events-store.ts'
import { openTracksDatabase } from '../../src/tracks/model/migrations.ts'
import { createBrowser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { openInstallation } from './installation.ts'

const PASSWORD = 'a quiet lake at dawn'
/** Operators who change something at the same time. */
const LANES = 6
const CHANGES_BEFORE_THE_KILL = 40

for (const database of databases) {
  describe(`a process that is killed on ${database.name}`, () => {
    test('while operators change things leaves a record of every change', async (t) => {
      const installation = await openInstallation(t, database.prepare, { SERVICES: 'tracks,dashboard' })
      const server = await installation.start()
      const token = /sign-in#token=(\S+)/.exec(server.output().stdout)![1]
      const browser = createBrowser(server.url)
      await browser.request('POST', '/operator/sign-in-link', { token, password: PASSWORD })

      const acknowledged: string[] = []
      const enough = Promise.withResolvers<void>()
      const lanes = Array.from({ length: LANES }, async (_, lane) => {
        for (let i = 0; ; i++) {
          const name = `Event ${lane}.${i}`
          const { status } = await browser.request('POST', '/operator/events', { name })
          assert.equal(status, 201)
          acknowledged.push(name)
          if (acknowledged.length >= CHANGES_BEFORE_THE_KILL) enough.resolve()
        }
      })
      const broken = Promise.allSettled(lanes)
      await enough.promise
      await server.stop('SIGKILL')
      await broken

      const { settings } = installation
      const opening = {
        databaseUrl: settings.DATABASE_URL,
        dataDir: settings.DATA_DIR,
        databaseConnections: 2,
        logger: { info() {}, warn() {} },
      }
      const [operators, tracks] = [await openOperatorDatabase(opening), await openTracksDatabase(opening)]
      const events = new Set((await createEventsStore(tracks.db).list()).map(({ name }) => name))
      const records = await createAuditQueries(operators.db).search(
        { action: 'operatorCreateEvent' },
        { before: undefined, limit: 1000 },
      )
      const { fault } = await verifyAuditLog(createAuditStore(operators.db), undefined)
      await Promise.all([operators.close(), tracks.close()])
      const recorded = new Set(records.map((record) => record.subject_name))
      const open = records.filter((record) => record.ended_outcome === null)
      assert.equal(fault, null)
      assert.deepEqual(
        [...events].filter((name) => name !== 'Default' && !recorded.has(name)),
        [],
      )
      assert.deepEqual(
        acknowledged.filter((name) => !events.has(name)),
        [],
      )
      // An outcome is written after its answer, so the change before may be open as well.
      assert.ok(open.length <= 2 * LANES, `${open.length} of ${records.length} without an outcome`)
      t.diagnostic(`${acknowledged.length} acknowledged, ${records.length} recorded, ${open.length} without an outcome`)
    })
  })
}
