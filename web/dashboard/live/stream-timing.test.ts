import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFrameBatches, createServerClock } from './stream-timing.ts'

/** Batches of numbers that take a millisecond each, in frames that the test starts. */
function start(budgetMs: number) {
  const frames: number[][] = []
  let taken: number[] = []
  let clockMs = 0
  let next: (() => void) | undefined
  const batches = createFrameBatches<number>({
    take: (item) => {
      taken.push(item)
      clockMs++
    },
    onTaken: () => {
      frames.push(taken)
      taken = []
    },
    schedule: (callback) => {
      assert.equal(next, undefined, 'one frame is requested at a time')
      next = callback
    },
    budgetMs,
    nowMs: () => clockMs,
  })
  const frame = () => {
    const callback = next
    next = undefined
    callback?.()
    return next !== undefined
  }
  return { batches, frames, frame }
}

describe('frame batches', () => {
  test('take everything that came in since the last frame', () => {
    const { batches, frames, frame } = start(10)

    for (const item of [1, 2, 3]) batches.add(item)
    assert.equal(frame(), false)
    batches.add(4)
    frame()

    assert.deepEqual(frames, [[1, 2, 3], [4]])
  })

  test('leave what does not fit into a frame to the next one, in order', () => {
    const { batches, frames, frame } = start(2)

    for (const item of [1, 2, 3, 4, 5]) batches.add(item)
    while (frame());

    assert.deepEqual(frames, [[1, 2], [3, 4], [5]])
  })

  test('take at least one item per frame, and none after being cleared', () => {
    const { batches, frames, frame } = start(0)

    for (const item of [1, 2, 3]) batches.add(item)
    frame()
    batches.clear()
    frame()

    assert.deepEqual(frames, [[1]])
  })
})

const message = (second: number, lag_ms = 0) => ({
  as_of: new Date(1_800_000_000_000 + second * 1000).toISOString(),
  lag_ms,
})

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

    assert.equal(clock.serverNowMs(), Date.parse(message(13).as_of))
  })

  test('knows nothing from a server of an earlier version, which says `ready` without a time', () => {
    const clock = createServerClock(() => 500)

    clock.hear({})

    assert.deepEqual([clock.currentAt({}), clock.serverNowMs()], [undefined, undefined])
    clock.hear(message(0))
    assert.equal(clock.currentAt({}), undefined)
    assert.equal(clock.currentAt(message(0)), 500)
  })
})
