import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFrameBatches } from './frame-batches.ts'

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
