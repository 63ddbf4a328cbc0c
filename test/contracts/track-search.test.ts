import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { createQueryId, type Kysely, sql } from 'kysely'
import { foldText } from '../../src/platform/basics/text.ts'
import { tracksMigrations } from '../../src/tracks/model/migrations.ts'
import {
  createOperatorTracksStore,
  type TrackSearch,
  type TrackSort,
} from '../../src/tracks/model/operator-tracks-store.ts'
import type { TracksTables } from '../../src/tracks/model/tables.ts'
import { searchText } from '../../src/tracks/model/titles.ts'
import { databases } from '../support/databases.ts'

const EVENT = randomUUID()
const TITLES = [
  'Été à Évian',
  'ete',
  '100 % trail_run',
  'a\\b',
  'Straße ﬁn',
  '東京 マラソン',
  "l'arrêt",
  '50%%',
  'x"y',
  '🏃 course',
  'ΩΣ',
]
const QUERIES = [
  'ete',
  'É',
  'a',
  '%',
  '_',
  '\\',
  '%%',
  '100 % t',
  'straße',
  'fin',
  '東',
  '東京',
  'ラソン',
  "'",
  '"',
  '🏃',
  'ως',
  'ωσ',
  'no such',
  'ian\ndev',
  'dev',
]

/** Adds tracks of one event, and returns the text that each is searched by. */
async function addTracks(db: Kysely<TracksTables>, titles: readonly string[]) {
  const rows = titles.map((title, at) => ({
    id: randomUUID(),
    event_id: EVENT,
    device_track_id: `dev-${at}`,
    title,
    activity_type: 'run' as const,
    state: at % 2 === 0 ? ('running' as const) : ('stopped' as const),
    start_ms: at,
    pauses: '[]',
    revision: 0,
    point_count: 0,
    loose_chunks: 0,
    search_text: searchText(title, `dev-${at}`, null),
    created_at: at,
    updated_at: at,
    coarse_updated_at: at,
    to_compact: 1,
  }))
  await db.insertInto('tracks').values(rows).execute()
  return rows
}

/** Searches as the list of an operator does. */
async function find(db: Kysely<TracksTables>, given: TrackSearch, sort: TrackSort = 'start') {
  const store = createOperatorTracksStore(db)
  const { search, total } = await store.narrow(EVENT, given)
  const page = { sort, descending: false, after: undefined, limit: 1000 }
  const found = await store.search(EVENT, search, page)
  // A text that many tracks have is counted while a page of them is found.
  assert.equal(total, found.length > 500 ? undefined : found.length)
  assert.equal(await store.count(EVENT, given), found.length)
  return found.map(({ title }) => title)
}

async function assertFindsWhatContains(db: Kysely<TracksTables>, titles: readonly string[]) {
  const rows = await addTracks(db, titles)
  for (const query of QUERIES) {
    const text = foldText(query)
    const containing = rows.filter(({ search_text }) => search_text.includes(text))
    for (const sort of ['start', 'updated', 'points'] as const) {
      const found = await find(db, { text }, sort)
      assert.deepEqual(found.toSorted(), containing.map(({ title }) => title).toSorted(), `${query} by ${sort}`)
    }
    const stopped = containing.filter(({ state }) => state === 'stopped').map(({ title }) => title)
    assert.deepEqual(await find(db, { text, state: 'stopped' }), stopped, `stopped ${query}`)
  }
}

for (const engine of databases) {
  describe(`a search for tracks on ${engine.name}`, () => {
    test('finds each track whose text contains the query, also a short one or one of special characters', async (t) => {
      const { db } = await engine.connect<TracksTables>(t, { migrations: tracksMigrations })
      await assertFindsWhatContains(db, TITLES)
    })

    test('finds many tracks as it finds few', async (t) => {
      const { db } = await engine.connect<TracksTables>(t, { migrations: tracksMigrations })
      const titles = Array.from({ length: 600 }, (_, at) => `${at < 501 ? 'Many' : 'Other'} ${at}`)
      await addTracks(db, titles)

      assert.deepEqual(await find(db, { text: 'many' }), titles.slice(0, 501))
      assert.deepEqual(await find(db, { text: 'many 50' }), ['Many 50', 'Many 500'])
      assert.equal((await find(db, { text: 'dev-', state: 'running' }, 'updated')).length, 300)
    })

    test('reads named tracks by their ids alone, in any order', async (t) => {
      const { db } = await engine.connect<TracksTables>(t, { migrations: tracksMigrations })
      const rows = await addTracks(db, TITLES)
      const statements = new Set<string>()
      const watched = db.withPlugin({
        transformQuery: ({ node }) => {
          statements.add(db.getExecutor().compileQuery(node, createQueryId()).sql)
          return node
        },
        transformResult: async ({ result }) => result,
      })

      const { search } = await createOperatorTracksStore(db).narrow(EVENT, { text: 'dev-1', state: 'running' })
      const found = []
      for (const sort of ['start', 'updated', 'title'] as const) {
        const page = { sort, descending: true, after: undefined, limit: 50 }
        found.push(await createOperatorTracksStore(watched).search(EVENT, search, page))
      }

      assert.deepEqual(
        found.map((page) => page.map(({ id }) => id)),
        Array(3).fill([rows[10].id]),
      )
      assert.ok(statements.size > 0)
      for (const statement of statements) assert.doesNotMatch(statement, /"event_id" =|search_text like/)
    })

    test('finds a track by its new text at once, and no longer by the old one or once it is deleted', async (t) => {
      const { db } = await engine.connect<TracksTables>(t, { migrations: tracksMigrations })
      await addTracks(db, ['Before', 'Unchanged'])

      const after = { title: 'After', search_text: searchText('After', 'dev-0', null) }
      await db.updateTable('tracks').set(after).where('title', '=', 'Before').execute()

      assert.deepEqual(await find(db, { text: 'after' }), ['After'])
      assert.deepEqual(await find(db, { text: 'before' }), [])
      await db.deleteFrom('tracks').where('title', '=', 'After').execute()
      assert.deepEqual(await find(db, { text: 'after' }), [])
      assert.deepEqual(await find(db, { text: 'dev' }), ['Unchanged'])
    })
  })
}

for (const engine of databases.filter(({ name }) => name === 'PostgreSQL')) {
  test('PostgreSQL keeps the list of tracks that its index of texts lacks short', async (t) => {
    const { db } = await engine.connect<TracksTables>(t, { migrations: tracksMigrations })

    const { rows } = await sql<{ options: string[] }>`
      select reloptions as options from pg_class where relname = 'tracks_by_trigram'`.execute(db)

    assert.deepEqual(rows, [{ options: ['gin_pending_list_limit=256'] }])
  })
}
