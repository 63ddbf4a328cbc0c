import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { deleteTracksOfEvent } from '../../src/tracks/model/events-store.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

// SQLite has one writer, so nothing runs between the steps of a deletion.
for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  describe(`DELETE /operator/events/:id on ${database.name}`, async () => {
    const service = await startService({ after }, database, { services: ['tracks'] })
    const { db } = service.server.tracks!.deps

    async function someoneWaits(): Promise<void> {
      const waiting = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      while ((await waiting.execute(db)).rows[0].count === 0);
    }

    test('also removes points that are being added to its tracks', async () => {
      const id = await trackRequests(service.request).sync({ points: makePoints(3) })
      const added = Promise.withResolvers<void>()
      const mayCommit = Promise.withResolvers<void>()
      const adding = db.transaction().execute(async (transaction) => {
        await transaction.updateTable('tracks').set({ revision: 9 }).where('id', '=', id).execute()
        const chunk = { track_id: id, first_ms: 1, last_ms: 1, count: 1, merged: 0, bytes: Buffer.alloc(1) }
        await transaction.insertInto('chunks').values(chunk).execute()
        added.resolve()
        await mayCommit.promise
      })
      await added.promise

      const deleting = deleteTracksOfEvent(db, service.eventId)
      await someoneWaits()
      mayCommit.resolve()
      await Promise.all([adding, deleting])

      const left = await db.selectFrom('chunks').select('first_ms').where('track_id', '=', id).execute()
      assert.deepEqual(left, [])
    })
  })
}
