import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createBatches } from './frame-batches.ts'

/** Batches of numbers, each of which takes a millisecond, in frames that the test begins. */
function start(budgetMs: number) {
  const frames: number[][] = []
  let taken: number[] = []
  let clockMs = 0
  let next: (() => void) | undefined
  const batches = createBatches<number>({
    take: (item) => {
      taken.push(item)
      clockMs++
    },
    onTaken: () => {
      frames.push(taken)
      taken = []
    },
    schedule: (goOn) => {
      assert.equal(next, undefined, 'one frame is asked for at a time')
      next = goOn
    },
    budgetMs,
    nowMs: () => clockMs,
  })
  const frame = () => {
    const goOn = next
    next = undefined
    goOn?.()
    return next !== undefined
  }
  return { batches, frames, frame }
}

describe('batches', () => {
  test('take what came in since the last frame together', () => {
    const { batches, frames, frame } = start(10)

    for (const item of [1, 2, 3]) batches.add(item)
    assert.equal(frame(), false)
    batches.add(4)
    frame()

    assert.deepEqual(frames, [[1, 2, 3], [4]])
  })

  test('leave to the next frame what does not fit into one, in order', () => {
    const { batches, frames, frame } = start(2)

    for (const item of [1, 2, 3, 4, 5]) batches.add(item)
    while (frame());

    assert.deepEqual(frames, [[1, 2], [3, 4], [5]])
  })

  test('take at least one thing a frame, and none that was forgotten', () => {
    const { batches, frames, frame } = start(0)

    for (const item of [1, 2, 3]) batches.add(item)
    frame()
    batches.clear()
    frame()

    assert.deepEqual(frames, [[1]])
  })
})
