import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAuditQueries } from '../../src/operator/audit/audit-records.ts'
import { createAuditStore } from '../../src/operator/audit/audit-store.ts'
import { verifyAuditLog } from '../../src/operator/audit/verify-audit-log.ts'
import { openOperatorDatabase } from '../../src/operator/model/tables.ts'
import { openPublicationsDatabase } from '../../src/publications/model/tables.ts'
import { createOperatorEventsStore } from '../../src/tracks/model/events-store.ts'
import { openTracksDatabase } from '../../src/tracks/model/migrations.ts'
import { databases } from '../support/databases.ts'
import { signInFirstOperator } from '../support/sign-in.ts'
import { openInstallation } from './installation.ts'

/** Operators who change something at the same time. */
const LANES = 6
const CHANGES_BEFORE_THE_KILL = 40

for (const database of databases) {
  describe(`a process that is killed on ${database.name}`, () => {
    test('while operators change things leaves a record of every change', async (t) => {
      const installation = await openInstallation(t, database.prepare, { SERVICES: 'tracks,dashboard' })
      const server = await installation.start()
      const browser = await signInFirstOperator(server, installation.query)

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
      const events = new Set(
        (await createOperatorEventsStore(tracks.db, Date.now).list('everything')).map(({ event }) => event.name),
      )
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

    test('while collections are made, renamed and moved keeps the acknowledged ones, and nothing half done', async (t) => {
      const settings = { SERVICES: 'publications', PUBLICATIONS_RATE_LIMIT: '0' }
      const installation = await openInstallation(t, database.prepare, settings)
      const server = await installation.start()
      const ask = async (status: number, method: string, path: string, body: object) => {
        const headers = { 'X-Api-Key': server.apiKey, 'Content-Type': 'application/json' }
        const answer = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) })
        const text = await answer.text()
        assert.equal(answer.status, status, text)
        return JSON.parse(text) as { id: string; slug: string }
      }
      /** Slugs by the ids of collections, as they were acknowledged: the first, and the one after it. */
      const acknowledged = new Map<string, string[]>()
      const enough = Promise.withResolvers<void>()
      const lanes = Array.from({ length: LANES }, async (_, lane) => {
        for (let i = 0; ; i++) {
          const { id, slug } = await ask(201, 'POST', '/collections', { name: 'Reports' })
          acknowledged.set(id, [slug])
          const renamed = await ask(200, 'PATCH', `/collections/${id}`, {
            slug: `reports-of-${lane}-${i}`,
            position: 0,
          })
          acknowledged.get(id)!.push(renamed.slug)
          if (acknowledged.size >= CHANGES_BEFORE_THE_KILL) enough.resolve()
        }
      })
      const broken = Promise.allSettled(lanes)
      await Promise.race([enough.promise, broken])
      await server.stop('SIGKILL')
      await broken

      const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = installation.settings
      const logger = { info() {}, warn() {} }
      const { db, close } = await openPublicationsDatabase({ databaseUrl, dataDir, databaseConnections: 2, logger })
      const collections = await db.selectFrom('collections').select(['id', 'slug', 'position']).execute()
      const slugs = await db.selectFrom('collection_slugs').select(['collection_id', 'slug']).execute()
      await close()
      const ownerOf = new Map(slugs.map((row) => [row.slug, row.collection_id]))
      assert.ok(acknowledged.size >= CHANGES_BEFORE_THE_KILL)
      for (const [id, given] of acknowledged) for (const slug of given) assert.equal(ownerOf.get(slug), id, slug)
      const ids = new Set(collections.map(({ id }) => id))
      assert.deepEqual(
        [...acknowledged.keys(), ...ownerOf.values()].filter((id) => !ids.has(id)),
        [],
      )
      for (const { id, slug } of collections) assert.equal(ownerOf.get(slug), id, slug)
      assert.equal(new Set(collections.map(({ position }) => position)).size, collections.length)
    })
  })
}
