import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import { type DistributionPlan, distribute, planDistribution } from '#platform/database/distribute.ts'
import { migrate } from '#platform/database/migrate.ts'
import { connectDatabase } from '#platform/database/open-database.ts'
import { publicationsMigrations } from '../../src/publications/model/migrations.ts'
import { recordPages } from '../../src/publications/model/record-pages.ts'
import type { PublicationsTables } from '../../src/publications/model/tables.ts'
import { tracksMigrations } from '../../src/tracks/model/migrations.ts'
import { type TracksTables, tracksLayout } from '../../src/tracks/model/tables.ts'
import { wholeEvent } from '../../src/tracks/model/track-rows.ts'
import { planAppends } from '../../src/tracks/points/chunks/chunk-plan.ts'
import { PointsWriter } from '../../src/tracks/points/storage/points-writer.ts'
import { sender } from '../acceptance/start-program.ts'
import { openInstallation } from '../durability/installation.ts'
import { createCitusDatabase, dropCitusDatabase } from '../support/citus-cluster.ts'
import { databases, type Owner } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { makeVersion } from '../support/make-version.ts'
import { columnsOf } from '../support/track-columns.ts'
import { trackRequests } from '../support/track-requests.ts'

const { CITUS_URL = '' } = process.env
const skip = CITUS_URL === '' && 'CITUS_URL names no cluster'

const partOf = (database: Database<TracksTables>) => ({
  schema: 'tracks',
  database: database as unknown as Database,
  layout: tracksLayout,
})

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  test('the plan for a PostgreSQL without the extension says so, and is not run', async (t) => {
    const connected = await database.connect<TracksTables>(t, { name: 'tracks', migrations: tracksMigrations })

    const plan = await planDistribution([partOf(connected)])

    assert.deepEqual(
      plan.tables.map(({ table, isDone }) => [table, isDone]).sort(),
      Object.keys(tracksLayout)
        .map((table) => [`tracks.${table}`, false])
        .sort(),
    )
    assert.match(plan.problems.join('\n'), /create extension citus/)
    await assert.rejects(
      distribute([partOf(connected)], () => {}),
      /create extension citus/,
    )
  })
}

describe('admin distribute on Citus', { skip }, () => {
  test('spreads an installation with data, which then goes on as before', async (t) => {
    const installation = await openInstallation(t, openCitusDatabase)
    const before = await installation.start()
    const tracks = trackRequests(sender(before.url, before.token))
    const ids = [await tracks.sync({ points: makePoints(50) }), await tracks.sync({ points: makePoints(20) })]
    const stored = await Promise.all(ids.map((id) => tracks.points(id)))
    const refused = await installation.admin('distribute', '--run')
    await before.stop()

    const planned = await installation.admin('distribute', '--plan')
    const first = await installation.admin('distribute', '--run')
    const second = await installation.admin('distribute', '--run')

    assert.deepEqual([refused.exitCode, refused.stderr.includes('Stop them first')], [1, true])
    const plan = planned.answer as DistributionPlan
    assert.deepEqual([plan.problems, plan.tables.some(({ isDone }) => isDone)], [[], false])
    const done = first.answer as DistributionPlan
    assert.deepEqual([done.problems, done.tables.every(({ isDone }) => isDone)], [[], true])
    assert.deepEqual([second.exitCode, second.stderr], [0, ''])
    const after = await installation.start()
    const again = trackRequests(sender(after.url, after.token))
    assert.deepEqual(await Promise.all(ids.map((id) => again.points(id))), stored)
    await again.sync({ points: makePoints(5) })
    const verified = (await installation.admin('storage', 'verify')).answer as { broken: unknown[]; points: number }
    assert.deepEqual([verified.broken, verified.points], [[], 75])
  })

  test('continues a run that was interrupted', async (t) => {
    const url = await openCitusDatabase(t)
    const database = await connectDatabase<TracksTables>({
      ...url,
      url: `${url.url}?application_name=test`,
      name: 'tracks',
    })
    t.after(() => database.close())
    await migrate(database, tracksMigrations)
    const stopAfter = (count: number) => (line: string) => {
      if (--count === 0) throw new Error(`stopped when ${line}`)
    }

    await assert.rejects(distribute([partOf(database)], stopAfter(3)), /stopped/)
    const between = await planDistribution([partOf(database)])
    const finished = await distribute([partOf(database)], () => {})

    assert.equal(between.tables.filter(({ isDone }) => isDone).length, 3)
    assert(finished.tables.every(({ isDone }) => isDone))
  })
})

describe('A spread database', { skip }, () => {
  const citus = databases.find(({ name }) => name === 'Citus')

  test('takes migrations', { skip: citus === undefined && 'TEST_DATABASES leaves out citus' }, async (t) => {
    const database = await citus!.connect<TracksTables>(t, { name: 'tracks', migrations: tracksMigrations })
    const next = async (db: Kysely<unknown>) => {
      await db.schema.alterTable('tracks').addColumn('mood', 'text').execute()
      await sql`update tracks set mood = title`.execute(db)
      await db.schema.createIndex('tracks_by_mood').on('tracks').columns(['event_id', 'mood']).execute()
      await db.schema.alterTable('events').addColumn('mood', 'text').execute()
      await db.schema
        .createTable('moods')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .execute()
    }

    await migrate(database, { ...tracksMigrations, '9999-moods': { up: next } })

    const { rows } = await sql`select mood from tracks`.execute(database.db)
    assert.deepEqual(rows, [])
  })

  test('commits the points of many tracks on one machine each', {
    skip: citus === undefined && 'no citus',
  }, async (t) => {
    const database = await citus!.connect<TracksTables>(t, { name: 'tracks', migrations: tracksMigrations })
    const ids = Array.from({ length: 24 }, () => randomUUID())
    for (const id of ids) await insertTrack(database, id)
    const writer = new PointsWriter(database, { now: () => 1, planElsewhere: async (task) => planAppends(task) })
    const before = await twoPhaseCommits(database)

    const points = columnsOf([{ sec: 1 }, { sec: 2 }])
    await Promise.all(ids.map((id) => writer.append(wholeEvent('event'), id, points)))
    // Known points take the other way, which reads and locks.
    const repeated = await Promise.all(ids.map((id) => writer.append(wholeEvent('event'), id, points)))

    assert.deepEqual(new Set(repeated.map(({ addedCount }) => addedCount)), new Set([0]))
    assert.deepEqual((await twoPhaseCommits(database)).difference(before), new Set())
  })

  test('commits a page and the progress of its version together', {
    skip: citus === undefined && 'no citus',
  }, async (t) => {
    const database = await citus!.connect<PublicationsTables>(t, {
      name: 'publications',
      migrations: publicationsMigrations,
    })
    const id = await makeVersion(database.db, { page_count: 2 })
    const before = await twoPhaseCommits(database)

    const page = { page: 1, images: {}, isComplete: true, text: 'One', words: Uint8Array.of(1) }
    const progress = await recordPages(database.db, id, [page], 1)

    assert.equal(progress?.pagesReady, 1)
    assert.equal((await twoPhaseCommits(database)).difference(before).size, 1)
  })
})

async function openCitusDatabase(owner: Owner) {
  const url = await createCitusDatabase(CITUS_URL)
  owner.after(() => dropCitusDatabase(CITUS_URL, new URL(url).pathname.slice(1)))
  return { url, dataDir: '' }
}

async function insertTrack({ db }: Database<TracksTables>, id: string): Promise<void> {
  const row = { id, event_id: 'event', device_track_id: id, title: '', activity_type: 'run', state: 'running' }
  const zero = { start_ms: 0, pauses: '[]', revision: 0, point_count: 0, loose_chunks: 0, created_at: 0, updated_at: 0 }
  const indexed = { coarse_updated_at: 0, to_compact: 1 }
  await db
    .insertInto('tracks')
    .values({ ...row, ...zero, ...indexed } as TracksTables['tracks'])
    .execute()
}

/** Returns the names of transactions on several machines; Citus remembers each for a minute. */
async function twoPhaseCommits<Tables>({ db }: Database<Tables>): Promise<Set<string>> {
  const { rows } = await sql<{ gid: string }>`select gid from pg_dist_transaction`.execute(db)
  return new Set(rows.map(({ gid }) => gid))
}
