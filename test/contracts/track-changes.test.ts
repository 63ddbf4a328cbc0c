import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import { ShortSlices } from '#platform/jobs/main-thread-time.ts'
import { findChangedRows } from '../../src/tracks/frames/track-rows.ts'
import { tracksMigrations } from '../../src/tracks/model/migrations.ts'
import { createOperatorTracksStore, type TrackPosition } from '../../src/tracks/model/operator-tracks-store.ts'
import { MAX_COARSE_LAG_MS, type TrackHeadRow, type TracksTables } from '../../src/tracks/model/tables.ts'
import { wholeEvent } from '../../src/tracks/model/track-rows.ts'
import { planAppends } from '../../src/tracks/points/chunks/chunk-plan.ts'
import { findUncompacted, unmarkCompacted } from '../../src/tracks/points/storage/compactor.ts'
import { PointsWriter } from '../../src/tracks/points/storage/points-writer.ts'
import { findActive, findChanged, findPast, lastChange } from '../../src/tracks/points/storage/track-changes.ts'
import { databases } from '../support/databases.ts'
import { columnsOf } from '../support/track-columns.ts'

const EVENT = randomUUID()
const MINUTE_MS = 60_000

function trackRow(columns: Partial<TrackHeadRow>): TrackHeadRow {
  const id = randomUUID()
  return {
    id,
    event_id: EVENT,
    state: 'running',
    activity_type: 'run',
    start_ms: 0,
    end_ms: null,
    revision: 0,
    point_count: 0,
    last_point_ms: null,
    loose_chunks: 0,
    updated_at: 0,
    distance_m: null,
    coarse_updated_at: 0,
    to_compact: 1,
    shown_from_ms: null,
    altitude_reference: null,
    stopped_at: null,
    resumed_at: null,
    shown_until_ms: null,
    created_at: 0,
    device_track_id: id,
    title: '',
    user_id: null,
    search_text: '',
    pauses: '[]',
    ...columns,
  }
}

/** Opens a writer with a clock of the test, and a track that was made at 0. */
async function openWriter({ db, ...database }: Database<TracksTables>, columns: Partial<TrackHeadRow> = {}) {
  const row = trackRow(columns)
  await db.insertInto('tracks').values(row).execute()
  let nowMs = 0
  const options = {
    now: () => nowMs,
    planElsewhere: async (task: Parameters<typeof planAppends>[0]) => planAppends(task),
  }
  const writer = new PointsWriter({ db, ...database }, options)
  return {
    id: row.id,
    /** Appends a point at a time of the clock. */
    async appendAt(timeMs: number, sec = timeMs / 1000) {
      nowMs = timeMs
      await writer.append(wholeEvent(EVENT), row.id, columnsOf([{ sec }]))
    },
    async read() {
      return await db.selectFrom('tracks').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow()
    },
  }
}

async function indexDefinitions(db: Kysely<TracksTables>): Promise<string[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const { rows } = await (isPostgres
    ? sql<{ definition: string }>`select indexdef as definition from pg_indexes where tablename = 'tracks'`
    : sql<{
        definition: string
      }>`select sql as definition from sqlite_schema where tbl_name = 'tracks' and type = 'index' and sql is not null`
  ).execute(db)
  return rows.map(({ definition }) => definition)
}

for (const engine of databases) {
  const connect = (owner: Parameters<typeof engine.connect>[0]) =>
    engine.connect<TracksTables>(owner, { name: 'tracks', migrations: tracksMigrations })

  describe(`Changes of tracks on ${engine.name}`, () => {
    test('are of columns that no index contains, as far as each batch makes them', async (t) => {
      const database = await connect(t)
      const { appendAt, read } = await openWriter(database)
      await appendAt(1000)
      const before = await read()

      await appendAt(2000)

      const after = await read()
      const changed = (Object.keys(after) as (keyof TrackHeadRow)[]).filter((name) => after[name] !== before[name])
      assert.deepEqual(changed.toSorted(), ['last_point_ms', 'loose_chunks', 'point_count', 'revision', 'updated_at'])
      const definitions = await indexDefinitions(database.db)
      assert.ok(definitions.length >= 4)
      for (const definition of definitions) {
        for (const name of changed) assert.doesNotMatch(definition, new RegExp(`\\b${name}\\b`))
      }
    })

    test('reach the index of changes after some minutes', async (t) => {
      const { appendAt, read } = await openWriter(await connect(t))
      await appendAt(4 * MINUTE_MS)
      assert.equal((await read()).coarse_updated_at, 0)

      await appendAt(6 * MINUTE_MS)
      assert.equal((await read()).coarse_updated_at, 6 * MINUTE_MS)

      await appendAt(7 * MINUTE_MS)
      assert.equal((await read()).coarse_updated_at, 6 * MINUTE_MS)
      // A point before the others.
      await appendAt(8 * MINUTE_MS, 1)
      const { updated_at, coarse_updated_at, point_count } = await read()
      assert.deepEqual([updated_at, coarse_updated_at, point_count], [8 * MINUTE_MS, 8 * MINUTE_MS, 4])
    })

    test('never leave the index further behind than its readers expect, with another clock either', async (t) => {
      const database = await connect(t)
      const ahead = await openWriter(database)
      // This writer has remembered the track, whose coarse time is then set back behind its back.
      await ahead.appendAt(1000)
      await database.db
        .updateTable('tracks')
        .set({ coarse_updated_at: 2000 - MAX_COARSE_LAG_MS })
        .execute()

      await ahead.appendAt(2000)

      const { updated_at, coarse_updated_at, point_count } = await ahead.read()
      assert.equal(point_count, 2)
      assert.ok(updated_at - coarse_updated_at < MAX_COARSE_LAG_MS)
    })

    test('are found by their exact time', async (t) => {
      const database = await connect(t)
      const { id, appendAt } = await openWriter(database)
      await openWriter(database)
      await appendAt(4 * MINUTE_MS)

      const since = async (sinceMs: number) => (await findChanged(database.db, EVENT, { sinceMs })).map((one) => one.id)

      assert.deepEqual(await since(4 * MINUTE_MS - 1), [id])
      assert.deepEqual(await since(4 * MINUTE_MS), [])
      assert.equal(await lastChange(database.db, EVENT), 4 * MINUTE_MS)
      assert.equal(await lastChange(database.db, randomUUID()), 0)
    })

    test('divide an event into what happens now and its past, each track into one of them', async (t) => {
      const { db } = await connect(t)
      const rows = Array.from({ length: 200 }, (_, i) => {
        const coarse = i * 3 * MINUTE_MS
        return trackRow({
          state: i % 3 === 0 ? 'running' : 'stopped',
          coarse_updated_at: coarse,
          updated_at: coarse + (i % 10) * MINUTE_MS,
        })
      })
      await db.insertInto('tracks').values(rows).execute()
      const since = { stoppedMs: 400 * MINUTE_MS, openMs: 200 * MINUTE_MS }

      const active = await findActive(db, EVENT, since)
      const past = await findPast(db, EVENT, since, 1000)
      const some = await findPast(db, EVENT, since, 5)

      assert.equal(new Set([...active, ...past.tracks].map(({ id }) => id)).size, 200)
      assert.equal(active.length + past.tracks.length, 200)
      const isActive = new Set(active.map(({ id }) => id))
      for (const { id, state, updated_at } of rows) {
        if (updated_at > (state === 'stopped' ? since.stoppedMs : since.openMs)) assert.ok(isActive.has(id))
      }
      assert.deepEqual(some.tracks, past.tracks.slice(0, 5))
      assert.equal(some.leftOut, past.tracks.length - 5)
    })

    test('are found for frames in parts, also those of tracks that all began at once', async (t) => {
      const { db } = await connect(t)
      const rows = Array.from({ length: 1500 }, (_, i) =>
        trackRow({ coarse_updated_at: MINUTE_MS + Math.floor(i / 1000), updated_at: 2 * MINUTE_MS + i }),
      )
      for (let i = 0; i < rows.length; i += 500)
        await db
          .insertInto('tracks')
          .values(rows.slice(i, i + 500))
          .execute()
      await db
        .insertInto('tracks')
        .values(trackRow({ event_id: randomUUID(), updated_at: 3 * MINUTE_MS }))
        .execute()
      const counts: number[] = []
      const counted = db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          counts.push(result.rows.length)
          return result
        },
      })
      const isRead = (id: string) => id === rows[1200].id
      const changesSince = async (sinceMs: number) =>
        (await findChangedRows(counted, EVENT, { sinceMs, isRead }, new ShortSlices())).map(({ id }) => id).sort()

      const expected = rows.filter((_, i) => i > 99 && i !== 1200).map(({ id }) => id)
      assert.deepEqual(await changesSince(2 * MINUTE_MS + 99), expected.sort())
      assert.deepEqual(await changesSince(2 * MINUTE_MS + 1499), [])
      assert.ok(Math.max(...counts) <= 400)
    })

    test('sort lists exactly, page by page, although the index is behind', async (t) => {
      const { db } = await connect(t)
      const rows = Array.from({ length: 120 }, (_, i) => {
        const updatedMs = 100 * MINUTE_MS + Math.floor((i * 7919) % 60) * MINUTE_MS
        return trackRow({
          updated_at: updatedMs,
          coarse_updated_at: updatedMs - (i % 5 === 0 ? 0 : ((i * 31) % 600) * 1000),
          state: i % 4 === 0 ? 'stopped' : 'running',
        })
      })
      await db.insertInto('tracks').values(rows).execute()
      const store = createOperatorTracksStore(db)
      for (const descending of [true, false]) {
        for (const search of [{}, { state: 'stopped' as const }]) {
          const found: string[] = []
          let after: TrackPosition | undefined
          for (;;) {
            const page = await store.search(EVENT, search, { sort: 'updated', descending, after, limit: 7 })
            found.push(...page.map(({ id }) => id))
            if (page.length < 7) break
            after = { key: page[6].sort_key, id: page[6].id }
          }
          const expected = rows
            .filter(({ state }) => search.state === undefined || state === search.state)
            .sort((a, b) => a.updated_at - b.updated_at || (a.id < b.id ? -1 : 1))
            .map(({ id }) => id)
          assert.deepEqual(found, descending ? expected.reverse() : expected)
        }
      }
    })

    test('bring a track back among those to compact, after it was compacted and quiet', async (t) => {
      const database = await connect(t)
      const { id, appendAt, read } = await openWriter(database)
      await unmarkCompacted(database.db, 1)
      assert.equal((await read()).to_compact, 0)

      await appendAt(1000)

      assert.equal((await read()).to_compact, 1)
      assert.deepEqual(await findUncompacted(database.db, 1, 0, 10), [id])
      await unmarkCompacted(database.db, 2000)
      assert.equal((await read()).to_compact, 1)
    })
  })
}
