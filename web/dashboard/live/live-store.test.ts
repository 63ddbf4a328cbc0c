import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Frame, FrameTrack } from '../../../clients/typescript/src/live/frames.ts'
import { ShareEndedError } from '../../../clients/typescript/src/live/share-ended.ts'
import type { FrameEvent, WatchFramesOptions } from '../../../clients/typescript/src/live/watch-frames.ts'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { createLiveStore, createServerClock, type LiveSource, untilShown } from './live-store.ts'

const shown = (id: string, details = 1): FrameTrack => ({
  id,
  state: 'running',
  timeMs: 1_800_000_000_000,
  latitude: 46,
  longitude: 7,
  heading: null,
  speedMps: null,
  rank: null,
  details,
  battery: null,
})

function frameEvent(changed: FrameTrack[], isWhole: boolean, asOfMs = 1_800_000_000_000): FrameEvent {
  const frame: Frame = { number: asOfMs / 2000, asOfMs, delaySec: 0, leftOut: 3, isWhole, changed }
  return { name: 'frame', frame, tracks: new Map(), newest: { asOfMs, lagMs: 0, intervalMs: 2000 } }
}

const summaryOf = (id: string) => ({ id, title: id, name: id, stats: null, points_count: 1 }) as SharedTrack

/** A store whose frames and lists the test gives. */
function createStore(t: TestContext) {
  const readers: WatchFramesOptions[] = []
  const asked: (string | undefined)[] = []
  let give: (event: FrameEvent | Error) => Promise<void> = () => Promise.reject(new Error('Nobody reads.'))
  async function* frames(options: WatchFramesOptions) {
    readers.push(options)
    for (;;) {
      const next = Promise.withResolvers<FrameEvent | Error>()
      const taken = Promise.withResolvers<void>()
      give = (event) => {
        next.resolve(event)
        return taken.promise
      }
      const event = await next.promise
      if (event instanceof Error) {
        taken.resolve()
        throw event
      }
      yield event
      taken.resolve()
    }
  }
  const list: LiveSource<SharedTrack>['list'] = async (query) => {
    asked.push('ids' in query ? query.ids : undefined)
    const ids = 'ids' in query ? query.ids.split(',') : ['a', 'b']
    return { tracks: ids.map(summaryOf), next_cursor: null }
  }
  t.mock.method(Math, 'random', () => 0)
  const store = createLiveStore<SharedTrack>({ framesUrl: '/frames', list }, frames)
  return { store, readers, asked, give: (event: FrameEvent | Error) => give(event) }
}

/** Waits for what a condition needs. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('the store of live tracks', () => {
  test('takes a long frame in slices, between which the page does what is due', async (t) => {
    const { store, give } = createStore(t)
    let mostAtOnce = 0
    let known = 0
    const yieldThread = async () => {
      const { size } = store.getSnapshot().tracks.byId
      mostAtOnce = Math.max(mostAtOnce, size - known)
      known = size
    }
    Object.assign(globalThis, { scheduler: { yield: yieldThread } })
    t.after(() => Reflect.deleteProperty(globalThis, 'scheduler'))
    t.after(store.subscribe(() => {}))

    await give(
      frameEvent(
        Array.from({ length: 1000 }, (_, i) => shown(String(i))),
        true,
      ),
    )

    assert.equal(store.getSnapshot().tracks.byId.size, 1000)
    assert.ok(known >= 700, 'the page had its turns')
    assert.ok(mostAtOnce <= 200, `${mostAtOnce} at once`)
  })

  test('reads with the first subscriber and ends with the last, and keeps what it has', async (t) => {
    const { store, readers, give } = createStore(t)

    const [leaveFirst, leaveSecond] = [store.subscribe(() => {}), store.subscribe(() => {})]
    await give(frameEvent([shown('a')], true))
    leaveFirst()
    assert.deepEqual([readers.length, readers[0].signal!.aborted], [1, false])
    leaveSecond()

    assert.equal(readers[0].signal!.aborted, true)
    t.after(store.subscribe(() => {}))
    assert.equal(readers.length, 2)
    assert.deepEqual([...store.getSnapshot().tracks.byId.keys()], ['a'])
  })

  test('is live once the first frame and the first names are there', async (t) => {
    const { store, give } = createStore(t)
    t.after(store.subscribe(() => {}))
    assert.equal(store.getSnapshot().state, 'opening')

    await give(frameEvent([shown('a'), shown('b')], true))

    const { state, leftOut, tracks } = store.getSnapshot()
    assert.deepEqual([state, leftOut], ['live', 3])
    assert.deepEqual(
      [...tracks.byId.values()].map(({ track }) => track?.title),
      ['a', 'b'],
    )
  })

  test('reads the names of new tracks, and of changed ones, and no others', async (t) => {
    const { store, give, asked } = createStore(t)
    t.after(store.subscribe(() => {}))
    await give(frameEvent([shown('a'), shown('b')], true))

    await give(frameEvent([shown('c')], false, 1_800_000_002_000))
    await until(() => store.getSnapshot().tracks.byId.get('c')?.track !== undefined)

    assert.deepEqual(asked, [undefined, 'c'])
  })

  test('says that the connection is lost, that it is back, and that the share has ended', async (t) => {
    const { store, give } = createStore(t)
    const states = new Set<string>()
    t.after(store.subscribe(() => states.add(store.getSnapshot().state)))

    await give(frameEvent([shown('a')], true))
    await give({ name: 'disconnected', retryMs: 1 })
    await give(frameEvent([shown('a')], false, 1_800_000_002_000))
    states.add(`again ${store.getSnapshot().state}`)
    await give(new ShareEndedError(410))
    await until(() => store.getSnapshot().state === 'ended')

    assert.deepEqual([...states], ['opening', 'live', 'waiting', 'again live', 'ended'])
  })
})

const message = (second: number, lagMs = 0) => ({ asOfMs: 1_800_000_000_000 + second * 1000, lagMs })

describe('the clock of the server', () => {
  test('tells how old a state was when the server sent it, whatever the difference of the clocks', () => {
    const clock = createServerClock(() => 500)

    clock.hear(message(0, 15_000))

    assert.equal(clock.currentAt(message(0)), 500 - 15_000)
  })

  test('tells by how much a later message was held up on its way', () => {
    let nowMs = 0
    const clock = createServerClock(() => nowMs)
    clock.hear(message(0))

    nowMs = 20_000
    clock.hear(message(3))

    assert.equal(nowMs - clock.currentAt(message(3))!, 17_000)
  })

  test('tells the time of the server while the page goes on', () => {
    let nowMs = 500
    const clock = createServerClock(() => nowMs)
    assert.equal(clock.serverNowMs(), undefined)
    clock.hear(message(10))

    nowMs = 3500

    assert.equal(clock.serverNowMs(), message(13).asOfMs)
  })
})

describe('the pause of a page', () => {
  /** A document that is hidden until `show` is called. */
  function hiddenDocument(t: TestContext) {
    const { document } = globalThis
    const fake = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
    Object.assign(globalThis, { document: fake })
    t.after(() => Object.assign(globalThis, { document }))
    return {
      show() {
        fake.visibilityState = 'visible'
        fake.dispatchEvent(new Event('visibilitychange'))
      },
    }
  }

  test('lasts until somebody looks, and ends at once then', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const page = hiddenDocument(t)
    let isOver = false
    const pause = untilShown(1000, undefined).then(() => {
      isOver = true
    })

    t.mock.timers.tick(600_000)
    await Promise.resolve()
    assert.equal(isOver, false)
    page.show()
    await pause
  })

  test('ends with the page, and leaves nothing behind', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    hiddenDocument(t)
    const ending = new AbortController()
    const pause = untilShown(1000, ending.signal)

    ending.abort()

    await pause
  })
})
