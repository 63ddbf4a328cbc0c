import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { FrameMaker } from '../../src/tracks/frames/frame-maker.ts'
import type { FrameSeries, LatestFrame } from '../../src/tracks/frames/frame-series.ts'
import { createFrameCleaning, createFrames, type Frames } from '../../src/tracks/frames/frames.ts'
import type { SeriesKey } from '../../src/tracks/frames/store.ts'
import { forgetFrames } from '../../src/tracks/model/frame-tables.ts'
import { eventually } from '../support/becomes.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { trackRequests } from '../support/track-requests.ts'

const FORM = { trackId: undefined, hasBattery: true, format: 'binary', encoding: undefined } as const

describeTracks('Frames of several instances', async ({ service }) => {
  const { deps } = service.server.tracks!
  const { store } = deps.frames

  /** Returns an instance with a clock of its own. */
  function instance(t: TestContext, aheadMs = 0): Frames {
    const frames = createFrames({ ...deps, now: () => Date.now() + aheadMs })
    t.after(() => frames.close())
    return frames
  }

  /** Creates an event with a track that has points. */
  async function freshSeries(): Promise<
    SeriesKey & { addPoints: () => Promise<void>; addTrack: () => Promise<string> }
  > {
    const { id: eventId, token } = await service.createEvent('Race')
    const phone = trackRequests((method, path, json) => service.request(method, path, json, { 'X-API-Key': token }))
    const addTrack = async () => {
      const id = await phone.create({ title: 'Runner', device_track_id: randomUUID() })
      await phone.add(id, makePoints(2, Date.now() - 60_000))
      return id
    }
    const id = await addTrack()
    return { eventId, delaySec: 0, addTrack, addPoints: () => phone.add(id, makePoints(1, Date.now())) }
  }

  const keyOf = ({ eventId, delaySec }: SeriesKey) => ({ eventId, delaySec })

  async function until(series: FrameSeries, isMet: (latest: LatestFrame) => boolean): Promise<LatestFrame> {
    return await eventually('a later frame', async () => {
      const latest = await series.latest()
      return isMet(latest) && latest
    })
  }

  test('are made once: all instances have the same bytes', async (t) => {
    const fresh = await freshSeries()
    const instances = [instance(t), instance(t), instance(t)]
    const open = instances.map((frames) => frames.open(keyOf(fresh)))

    await Promise.all(open.map((series) => series.latest()))
    await fresh.addPoints()
    const seen = await Promise.all(open.map((series) => until(series, ({ numbers }) => numbers.length >= 3)))

    const numbers = seen[0].numbers.slice(0, 3)
    for (const { numbers: others } of seen) assert.deepEqual(others.slice(0, 3), numbers)
    for (const number of numbers) {
      const isWhole = number === numbers[0]
      const bytes = await Promise.all(
        instances.map((frames) => frames.read(keyOf(fresh), number, { ...FORM, isWhole })),
      )
      assert.ok(bytes[0] !== undefined)
      for (const others of bytes) assert.deepEqual(others, bytes[0])
    }
  })

  test('go on with another instance when one leaves, also if its clock was ten minutes ahead', async (t) => {
    const fresh = await freshSeries()
    const [ahead, present] = [instance(t, 600_000), instance(t)]
    const first = await until(ahead.open(keyOf(fresh)), ({ numbers }) => numbers.length >= 2)

    await ahead.close()
    const next = await until(present.open(keyOf(fresh)), ({ number }) => number > first.number)

    assert.ok(first.number > Date.now() / 2000 + 200)
    assert.equal(next.numbers.includes(first.number), false)
    const whole = await present.read(keyOf(fresh), next.key, { ...FORM, isWhole: true })
    assert.ok(whole !== undefined)
  })

  test('keep growing numbers and their bytes when an instance ten minutes behind goes on, and again the first', async (t) => {
    const fresh = await freshSeries()
    const key = keyOf(fresh)
    const made = new Map<number, unknown>()
    let last = 0
    for (const aheadMs of [0, -600_000, 0]) {
      const one = instance(t, aheadMs)
      await fresh.addPoints()
      // A frame of the instance before is told first.
      const { numbers } = await until(one.open(key), ({ number }) => number > last + 1)
      assert.ok(numbers.at(-1)! > last)
      last = numbers.at(-1)!
      await one.close()
      for (const number of numbers) {
        const bytes = await store.read(key, number)
        assert.ok(bytes !== undefined)
        if (made.has(number)) assert.deepEqual(bytes, made.get(number))
        made.set(number, bytes)
      }
    }
    const stored = await Promise.all([...made.keys()].map((number) => store.read(key, number)))
    assert.deepEqual(stored, [...made.values()])
  })

  test('go on with another instance when one shows no sign of life, and then refuse what it made', async (t) => {
    const fresh = await freshSeries()
    const key = keyOf(fresh)
    await store.create(key)
    const row = (await store.find(key))!
    assert.equal(await store.take(key, row, 'frozen'), true)

    const series = instance(t).open(key)
    const latest = await until(series, () => true)

    const late = { number: latest.number + 100, key: latest.key, asOfMs: 0, intervalMs: 2000, changes: null }
    assert.equal(await store.add(key, 'frozen', row.epoch, { ...late, whole: new Uint8Array(1) }), false)
    assert.equal(await store.beat(key, 'frozen'), false)
    assert.equal(await store.take(key, row, 'another that read the row before'), false)
    assert.equal(await store.read(key, late.number), undefined)
  })

  test('go on with another instance when one is cut off from the database, and it makes none when it is back', async (t) => {
    const fresh = await freshSeries()
    const key = keyOf(fresh)
    let isCutOff = false
    const db = deps.db.withPlugin({
      transformQuery({ node }) {
        if (isCutOff) throw new Error('The database cannot be reached.')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const cutOff = createFrames({ ...deps, db })
    t.after(() => cutOff.close())
    const first = await until(cutOff.open(key), ({ numbers }) => numbers.length >= 2)
    const { owner } = (await store.find(key))!
    const before = await store.read(key, first.number)

    isCutOff = true
    const other = instance(t).open(key)
    const next = await until(other, ({ number }) => number > first.number)
    isCutOff = false
    const back = await until(cutOff.open(key), ({ number }) => number > next.number)

    const row = (await store.find(key))!
    assert.ok(row.owner !== null && row.owner !== owner)
    assert.equal(back.numbers.includes(first.number), false)
    assert.deepEqual(await store.read(key, first.number), before)
  })

  test('go on with another instance when one hangs while it makes a frame, and it can add none later', async (t) => {
    const { eventId } = await freshSeries()
    const key = { eventId, delaySec: 600 }
    const { promise: hanging, resolve: goOn } = Promise.withResolvers<void>()
    let hung = false
    const delayedEnds: typeof deps.delayedEnds = async (...query) => {
      hung = true
      await hanging
      return await deps.delayedEnds(...query)
    }
    const stuck = createFrames({ ...deps, delayedEnds, stuckMs: 100 })
    stuck.open(key).watch(new AbortController().signal, () => {})
    await eventually('the first instance hangs', () => hung)
    const { owner } = (await store.find(key))!

    const { number } = await until(instance(t).open(key), () => true)
    goOn()
    await stuck.close()

    const row = (await store.find(key))!
    assert.ok(row.owner !== null && row.owner !== owner)
    assert.ok(row.number >= number)
  })

  test('end a while after the last request, and leave the series to others', { timeout: 20_000 }, async (t) => {
    const fresh = await freshSeries()
    const frames = createFrames({ ...deps, liveKeepMs: 100 })
    t.after(() => frames.close())

    const { number } = await frames.open(keyOf(fresh)).latest()
    await eventually('nobody watches', () => !frames.isWatched)

    await eventually('the series has no owner', async () => (await store.find(keyOf(fresh)))?.owner === null)
    assert.ok((await store.read(keyOf(fresh), number)) !== undefined)
  })

  test('are not stored if a track has been removed since they were read', async () => {
    const fresh = await freshSeries()
    const key = keyOf(fresh)
    await store.create(key)
    const row = (await store.find(key))!
    await store.take(key, row, 'maker')
    const frame = { number: 7, key: 7, asOfMs: 0, intervalMs: 2000, changes: null, whole: new Uint8Array(1) }

    await forgetFrames(deps.db, key.eventId)

    assert.equal(await store.add(key, 'maker', row.epoch, frame), false)
    assert.equal(await store.add(key, 'maker', row.epoch + 1, frame), true)
    assert.equal(await store.add(key, 'maker', row.epoch + 1, frame), false)
  })

  test('of another delay have numbers of their own, also after the delay has changed', async () => {
    const { eventId } = await freshSeries()
    await store.create({ eventId, delaySec: 0 })
    const row = (await store.find({ eventId, delaySec: 0 }))!
    await store.take({ eventId, delaySec: 0 }, row, 'maker')
    const frame = { number: 900, key: 900, asOfMs: 0, intervalMs: 2000, changes: null, whole: new Uint8Array(1) }
    await store.add({ eventId, delaySec: 0 }, 'maker', row.epoch, frame)

    await store.create({ eventId, delaySec: 600 })
    await forgetFrames(deps.db, eventId)

    assert.equal((await store.find({ eventId, delaySec: 600 }))!.number, 900)
    assert.equal(await store.read({ eventId, delaySec: 0 }, 900), undefined)
  })

  test('of a track that a longer delay has not shown stay', async () => {
    const { eventId } = await freshSeries()
    for (const delaySec of [0, 600]) await store.create({ eventId, delaySec })

    await forgetFrames(deps.db, eventId, 300)

    const epochs = await Promise.all([0, 600].map(async (delaySec) => (await store.find({ eventId, delaySec }))!.epoch))
    assert.deepEqual(epochs, [1, 0])
  })

  test('are removed two minutes after the last sign of life', async () => {
    const { eventId } = await freshSeries()
    const key = { eventId, delaySec: 0 }
    await store.create(key)
    const row = (await store.find(key))!
    await store.take(key, row, 'maker')
    const frame = { number: 7, key: 7, asOfMs: 0, intervalMs: 2000, changes: null, whole: new Uint8Array(1) }
    await store.add(key, 'maker', row.epoch, frame)
    const clean = createFrameCleaning(store)

    await clean(0)
    await clean(60_000)
    const after60 = await store.read(key, 7)
    await store.beat(key, 'maker')
    await clean(120_000)
    const afterSign = await store.read(key, 7)
    await clean(240_000)

    assert.ok(after60 !== undefined && afterSign !== undefined)
    assert.equal(await store.read(key, 7), undefined)
    assert.equal((await store.find(key))!.number, 7)
  })

  test('are whole before their time when many tracks are new', async () => {
    const fresh = await freshSeries()
    const maker = new FrameMaker({ ...deps, now: () => 2_000_000 }, keyOf(fresh), async () => new Map())
    const make = async (afterNumber: number) => {
      const { frame, stored } = await maker.next(afterNumber, 2000)
      await stored()
      return frame
    }

    const first = await make(5000)
    const second = await make(first.number)
    for (let i = 0; i < 65; i++) await fresh.addTrack()
    const third = await make(second.number)
    const fourth = await make(third.number)

    assert.deepEqual(
      [first, second, third, fourth].map(({ whole }) => whole !== null),
      [true, false, true, false],
    )
    assert.deepEqual(
      [first, second, third, fourth].map(({ key }) => key),
      [5001, 5001, 5003, 5003],
    )
    assert.deepEqual(
      [first, second].map(({ changes }) => changes !== null),
      [false, true],
    )
  })

  test('show a lag while somebody waits and none can be made, and go on afterwards', async (t) => {
    const fresh = await freshSeries()
    const warnings: string[] = []
    const logger = { ...deps.logger, warn: (_: unknown, message: string) => void warnings.push(message) }
    const frames = createFrames({ ...deps, logger: logger as unknown as typeof deps.logger })
    t.after(() => frames.close())
    const series = frames.open(keyOf(fresh))
    assert.equal(series.lagMs, 0)
    const first = await series.latest()

    await deps.db.schema.alterTable('tracks').renameTo('away').execute()
    try {
      await eventually('a failure in the log', () => warnings.includes('making a frame of positions failed'))
      assert.ok(series.lagMs > 0)
    } finally {
      await deps.db.schema.alterTable('away').renameTo('tracks').execute()
    }
    const next = await until(series, ({ number }) => number > first.number)

    // What happened meanwhile is unknown, so that it begins anew.
    assert.equal(next.key > first.key, true)
  })
})
