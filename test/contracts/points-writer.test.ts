import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '#platform/database/database.ts'
import { tracksMigrations } from '../../src/tracks/model/migrations.ts'
import type { TracksTables } from '../../src/tracks/model/tables.ts'
import { wholeEvent } from '../../src/tracks/model/track-rows.ts'
import { mergeChunks } from '../../src/tracks/points/chunks/chunk-codec.ts'
import { type AppendTask, planAppends } from '../../src/tracks/points/chunks/chunk-plan.ts'
import { emptyColumns } from '../../src/tracks/points/point-columns.ts'
import { MAX_POINTS_PER_TRACK } from '../../src/tracks/points/storage/append-tail.ts'
import { storedPoints } from '../../src/tracks/points/storage/chunks-store.ts'
import { compactTrack, findUncompacted } from '../../src/tracks/points/storage/compactor.ts'
import { readLateStep } from '../../src/tracks/points/storage/insert-late.ts'
import { LateAppends } from '../../src/tracks/points/storage/late-appends.ts'
import { PointsWriter } from '../../src/tracks/points/storage/points-writer.ts'
import { becomes } from '../support/becomes.ts'
import { databases, type Owner, type TestDatabase } from '../support/databases.ts'
import { columnsOf } from '../support/track-columns.ts'

const TRACK = '11111111-1111-4111-8111-111111111111'
const EVENT = wholeEvent('event')
const UNKNOWN = '22222222-2222-4222-8222-222222222222'

/** A database with one empty track, and two writers, like those of two instances. */
async function open(engine: TestDatabase, owner: Owner) {
  const database = await engine.connect<TracksTables>(owner, { name: 'tracks', migrations: tracksMigrations })
  await database.db
    .insertInto('tracks')
    .values({
      id: TRACK,
      event_id: 'event',
      device_track_id: 'device',
      title: '',
      activity_type: 'run',
      state: 'running',
      start_ms: 0,
      pauses: '[]',
      revision: 0,
      point_count: 0,
      loose_chunks: 0,
      created_at: 0,
      updated_at: 0,
      coarse_updated_at: 0,
      to_compact: 1,
    } as TracksTables['tracks'])
    .execute()
  const writer = () => new PointsWriter(database, planning)
  return { database, first: writer(), second: writer() }
}

const ascending = (a: number, b: number) => a - b
const planning = { now: () => 1, planElsewhere: async (task: AppendTask) => planAppends(task) }

/** Adds empty tracks, and returns their ids. */
async function addTracks({ db }: Database<TracksTables>, count: number): Promise<string[]> {
  const tracks = Array.from({ length: count }, (_, i) => TRACK.replace(/.{4}$/, String(i).padStart(4, '0')))
  const track = await db.selectFrom('tracks').selectAll().where('id', '=', TRACK).executeTakeFirstOrThrow()
  const rows = tracks.map((id) => ({ ...track, id, device_track_id: id }))
  for (let from = 0; from < count; from += 100)
    await db
      .insertInto('tracks')
      .values(rows.slice(from, from + 100))
      .execute()
  return tracks
}

/** A writer with a disk that holds each transaction until it is let go on, or fails it. */
function gatedWriter(database: Database<TracksTables>) {
  const commits: number[] = []
  const begun: number[] = []
  const held: PromiseWithResolvers<void>[] = []
  const guardedInsert: typeof database.guardedInsert = (insert) => {
    const write = database.guardedInsert(insert)
    return async (groups) => {
      const disk = Promise.withResolvers<void>()
      held.push(disk)
      begun.push(groups.length)
      await disk.promise
      return await write(groups)
    }
  }
  const onCommit = (count: number) => commits.push(count)
  return { writer: new PointsWriter({ ...database, guardedInsert }, { ...planning, onCommit }), commits, begun, held }
}

/** Returns points of the seconds from `from` up to but not including `to`. */
function seconds(from: number, to: number) {
  return columnsOf(Array.from({ length: to - from }, (_, i) => ({ sec: from + i })))
}

async function stored({ db }: Database<TracksTables>) {
  const times: number[] = []
  for await (const { timeMs } of storedPoints(db, TRACK, 0, 1000)) times.push(...timeMs)
  const track = await db.selectFrom('tracks').selectAll().where('id', '=', TRACK).executeTakeFirstOrThrow()
  return { times, count: track.point_count, lastMs: track.last_point_ms }
}

for (const engine of databases) {
  describe(`Writing points on ${engine.name}`, () => {
    test('stores the points of requests that wait together in time order', async (t) => {
      const { database, first } = await open(engine, t)

      await Promise.all(
        [
          [10, 20],
          [0, 10],
          [20, 30],
        ].map(([from, to]) => first.append(EVENT, TRACK, seconds(from, to))),
      )

      const expected = [...seconds(0, 30).timeMs]
      assert.deepEqual(await stored(database), { times: expected, count: 30, lastMs: expected[29] })
    })

    test('neither loses nor duplicates points that another instance has appended', async (t) => {
      const { database, first, second } = await open(engine, t)
      await first.append(EVENT, TRACK, seconds(0, 10))
      await second.append(EVENT, TRACK, seconds(10, 20))

      const again = await first.append(EVENT, TRACK, seconds(10, 25))
      const after = await second.append(EVENT, TRACK, seconds(20, 30))

      assert.deepEqual([again.addedCount, after.addedCount], [5, 5])
      const expected = [...seconds(0, 30).timeMs]
      assert.deepEqual(await stored(database), { times: expected, count: 30, lastMs: expected[29] })
    })

    test('stores a point once that two instances append to the same end', async (t) => {
      const { database, first, second } = await open(engine, t)
      await first.append(EVENT, TRACK, seconds(0, 5))
      await second.append(EVENT, TRACK, seconds(5, 6))

      await first.append(EVENT, TRACK, seconds(6, 11))
      const { addedCount } = await second.append(EVENT, TRACK, seconds(10, 15))

      assert.equal(addedCount, 4)
      assert.deepEqual((await stored(database)).times, [...seconds(0, 15).timeMs])
    })

    test('counts late points only while they wait, and the last point whatever comes first', async (t) => {
      const { database, first, second } = await open(engine, t)
      await first.append(EVENT, TRACK, seconds(20, 30))
      const many = emptyColumns(500_000)
      const planElsewhere = async () => ({ removed: [], inserted: [], addedCounts: [0] })
      const late = new LateAppends({ db: database.db, now: () => 1, planElsewhere, onCommit: () => {} })
      const send = () => {
        const { promise, resolve, reject } = Promise.withResolvers<unknown>()
        late.add({ scope: EVENT, trackId: TRACK, points: many, addedCount: 0, resolve, reject })
        return promise
      }

      // One event may have a million points waiting.
      for (let times = 0; times < 4; times++) await send()
      await nextTurn()
      const outcomes = await Promise.allSettled([send(), send(), send()])
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'stored')),
        ['stored', 'stored', 'UNAVAILABLE'],
      )

      await Promise.all([
        second.append(EVENT, TRACK, seconds(0, 5)),
        second.append(EVENT, TRACK, columnsOf([{ sec: 10 }, { sec: 40 }])),
        second.append(EVENT, TRACK, columnsOf([{ sec: 15 }])),
      ])
      assert.equal((await stored(database)).lastMs, columnsOf([{ sec: 40 }]).timeMs[0])
    })

    test('stores each point of concurrent requests with repeated points once', async (t) => {
      const { database, first, second } = await open(engine, t)
      const requests = Array.from({ length: 60 }, (_, i) =>
        (i % 2 === 0 ? first : second).append(EVENT, TRACK, seconds(i * 3, i * 3 + 5)),
      )

      await Promise.all(requests)

      const expected = [...seconds(0, 182).timeMs]
      assert.deepEqual(await stored(database), { times: expected, count: 182, lastMs: expected[181] })
    })

    test('stores together what arrives for a track during a transaction', async (t) => {
      const { database } = await open(engine, t)
      const commits: number[] = []
      const writer = new PointsWriter(database, { ...planning, onCommit: (requests) => commits.push(requests) })
      const first = writer.append(EVENT, TRACK, seconds(0, 10))
      await nextTurn()

      const others = Array.from({ length: 40 }, (_, i) => writer.append(EVENT, TRACK, seconds(10 + i, 11 + i)))
      const queued = writer.queueLength
      await Promise.all([first, ...others])

      assert.equal(queued, 40)
      assert.deepEqual(commits, [1, 40])
      assert.deepEqual((await stored(database)).times, [...seconds(0, 50).timeMs])
    })

    test('begins a second transaction for as many requests as the first one has', async (t) => {
      const { database } = await open(engine, t)
      const tracks = await addTracks(database, 8)
      const { writer, commits, held } = gatedWriter(database)
      const send = async (...ids: string[]) => {
        const answers = ids.map((id) => writer.append(EVENT, id, seconds(0, 10)))
        await nextTurn()
        await nextTurn()
        return { answers, waiting: writer.queueLength }
      }

      const first = await send(...tracks.slice(0, 3))
      const alone = await send(tracks[3])
      const enough = await send(tracks[4], tracks[5])
      await becomes(async () => held.length, 2)
      for (const { resolve } of held.splice(0)) resolve()
      await Promise.all([first, alone, enough].flatMap(({ answers }) => answers))
      const next = [await send(tracks[6]), await send(tracks[7])]
      await becomes(async () => held.length, 2)
      for (const { resolve } of held) resolve()
      await Promise.all(next.flatMap(({ answers }) => answers))

      assert.deepEqual([first.waiting, alone.waiting, enough.waiting], [0, 1, 0])
      assert.deepEqual(
        next.map(({ waiting }) => waiting),
        [0, 0],
      )
      assert.deepEqual(commits, [3, 3, 1, 1])
    })

    test('begins without waiting for all of many requests, and takes a bounded number of them at once', async (t) => {
      const { database } = await open(engine, t)
      const tracks = await addTracks(database, 400)
      const { writer, commits, held, begun } = gatedWriter(database)

      const answers = tracks.map((id) => writer.append(EVENT, id, seconds(0, 1)))
      await becomes(async () => begun.length, 2)
      assert.deepEqual([begun, writer.queueLength], [[32, 32], 336])
      for (const { resolve } of held.splice(0)) resolve()
      await becomes(async () => begun.length, 4)
      assert.deepEqual([begun.toSorted(ascending), writer.queueLength], [[32, 32, 80, 256], 0])
      for (const { resolve } of held) resolve()
      await Promise.all(answers)

      assert.deepEqual(commits.toSorted(ascending), [32, 32, 80, 256])
    })

    test('fails all requests of a transaction that fails, and stores those that follow', async (t) => {
      const { database } = await open(engine, t)
      const tracks = await addTracks(database, 2)
      const { writer, commits, held } = gatedWriter(database)
      const send = () => tracks.map((id) => writer.append(EVENT, id, seconds(0, 5)))

      const failing = send()
      const outcomes = Promise.allSettled(failing)
      await becomes(async () => held.length, 1)
      held.shift()!.reject(new Error('no room'))
      const reasons = (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason.message)
      const again = send()
      await becomes(async () => held.length, 1)
      held.shift()!.resolve()

      assert.deepEqual(reasons, ['no room', 'no room'])
      assert.deepEqual(
        (await Promise.all(again)).map(({ addedCount }) => addedCount),
        [5, 5],
      )
      assert.deepEqual(commits, [2])
    })

    test('tells of new ends, of each transaction with points, and how many chunks a track has to merge', async (t) => {
      const { database, first } = await open(engine, t)
      const commits: number[][] = []
      const ends: [track: string, lastMs: number][] = []
      const writer = new PointsWriter(database, {
        ...planning,
        onCommit: (requests, added, durationMs) => commits.push([requests, added, durationMs > 0 ? 1 : 0]),
        onAppended: (id, { timeMs }) => ends.push([id, timeMs[timeMs.length - 1]]),
      })
      const add = async (...ranges: [from: number, to: number][]) =>
        await Promise.all(ranges.map(([from, to]) => writer.append(EVENT, TRACK, seconds(from, to))))

      const together = await add([0, 5], [5, 10])
      const later = await add([10, 15])
      await first.append(EVENT, TRACK, seconds(15, 25))
      const overlapping = await add([20, 30])

      const uncompacted = [...together, ...later].map(({ uncompactedChunks }) => uncompactedChunks)
      assert.deepEqual(uncompacted, [1, 1, 2])
      assert.equal(overlapping[0].addedCount, 5)
      assert.deepEqual(commits, [
        [2, 10, 1],
        [1, 5, 1],
        [1, 5, 1],
      ])
      assert.deepEqual(
        ends,
        [10, 15].map((end) => [TRACK, seconds(0, end).timeMs[end - 1]]),
      )
    })

    test('reads only the chunks that have points at the times of late points', async (t) => {
      const { database, first } = await open(engine, t)
      for (const from of [0, 10, 20, 30]) await first.append(EVENT, TRACK, seconds(from, from + 9))
      const late = [columnsOf([{ sec: 0.5 }, { sec: 9.5 }, { sec: 30.5 }])]

      const step = await readLateStep(database.db, TRACK, late, late[0].timeMs[0])

      assert.deepEqual(
        step.stored.map(({ bytes }) => bytes !== undefined),
        [true, false, false, true],
      )
      assert.deepEqual([step.storedPoints, step.toMs], [18, late[0].timeMs[2]])
    })

    test('refuses new points for a full track, and accepts those it has', async (t) => {
      const { database, first, second } = await open(engine, t)
      await first.append(EVENT, TRACK, seconds(0, 5))
      await database.db.updateTable('tracks').set({ point_count: MAX_POINTS_PER_TRACK }).execute()

      const [known, late, latest] = await Promise.allSettled([
        second.append(EVENT, TRACK, seconds(0, 5)),
        second.append(EVENT, TRACK, columnsOf([{ sec: 2.5 }])),
        second.append(EVENT, TRACK, seconds(5, 9)),
      ])

      assert.equal(known.status, 'fulfilled')
      for (const refused of [late, latest]) assert(refused.status === 'rejected' && refused.reason.status === 403)
      assert.deepEqual((await stored(database)).times, [...seconds(0, 5).timeMs])
    })

    test('compacts the chunks of a track, and leaves those that changed while they were merged', async (t) => {
      const { database, first } = await open(engine, t)
      for (const from of [0, 10, 20]) await first.append(EVENT, TRACK, seconds(from, from + 9))
      const merge = async (chunks: Uint8Array[]) => mergeChunks(chunks)

      const disturbing = async (chunks: Uint8Array[]) => {
        await first.append(EVENT, TRACK, columnsOf([{ sec: 9.5 }]))
        return mergeChunks(chunks)
      }
      const disturbed = await compactTrack(database.db, TRACK, disturbing, new Set())
      const replaced = await compactTrack(database.db, TRACK, merge, new Set())

      assert.equal(disturbed, 0)
      assert.ok(replaced >= 3)
      const { times, count } = await stored(database)
      assert.deepEqual(times, [
        ...seconds(0, 9).timeMs,
        ...columnsOf([{ sec: 9.5 }]).timeMs,
        ...seconds(10, 19).timeMs,
        ...seconds(20, 29).timeMs,
      ])
      assert.equal(count, 28)
      const { loose_chunks } = await database.db.selectFrom('tracks').select('loose_chunks').executeTakeFirstOrThrow()
      assert.equal(loose_chunks, 0)
    })

    test('compacts a compacted chunk again once it has got a late point', async (t) => {
      const { database, first } = await open(engine, t)
      const { db } = database
      const merge = async (chunks: Uint8Array[]) => mergeChunks(chunks)
      const loose = async () => {
        const track = await db.selectFrom('tracks').select('loose_chunks').executeTakeFirstOrThrow()
        const chunks = await db.selectFrom('chunks').select('merged').where('merged', '=', 0).execute()
        assert.equal(track.loose_chunks, chunks.length)
        return [chunks.length, (await findUncompacted(db, 128, Number.MAX_SAFE_INTEGER, 10)).length]
      }
      for (const from of [0, 10, 20]) await first.append(EVENT, TRACK, seconds(from, from + 9))
      const counts = [await loose()]
      await first.append(EVENT, TRACK, columnsOf([{ sec: 3.5 }]))
      counts.push(await loose())
      await compactTrack(db, TRACK, merge, new Set())
      counts.push(await loose())

      await first.append(EVENT, TRACK, columnsOf([{ sec: 4.5 }]))
      counts.push(await loose())
      await first.append(EVENT, TRACK, columnsOf([{ sec: 5.5 }]))
      counts.push(await loose())
      const replaced = await compactTrack(db, TRACK, merge, new Set())
      counts.push(await loose())

      assert.deepEqual(counts, [
        [3, 1],
        [3, 1],
        [0, 0],
        [1, 1],
        [1, 1],
        [0, 0],
      ])
      assert.equal(replaced, 1)
    })

    test('fails a request for an unknown track without failing those that wait with it', async (t) => {
      const { database, first } = await open(engine, t)

      const [known, unknown, foreign] = await Promise.allSettled([
        first.append(EVENT, TRACK, seconds(0, 5)),
        first.append(EVENT, UNKNOWN, seconds(0, 5)),
        first.append(wholeEvent('other event'), TRACK, seconds(5, 9)),
      ])

      assert.equal(known.status, 'fulfilled')
      assert(unknown.status === 'rejected' && unknown.reason.code === 'NOT_FOUND')
      assert(foreign.status === 'rejected' && foreign.reason.code === 'NOT_FOUND')
      assert.equal((await stored(database)).count, 5)
    })

    test('refuses points for a track that was deleted after an append', async (t) => {
      const { database, first } = await open(engine, t)
      await first.append(EVENT, TRACK, seconds(0, 5))
      await database.db.deleteFrom('tracks').execute()

      const appending = first.append(EVENT, TRACK, seconds(5, 9))

      await assert.rejects(appending, { code: 'NOT_FOUND' })
    })
  })
}
