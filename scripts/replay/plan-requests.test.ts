import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cutBatches, MAX_POINTS_PER_REQUEST, type PlannedRequest } from './batches.ts'
import { planRequests } from './plan-requests.ts'

const aRideMs = Array.from({ length: 3000 }, (_, i) => i * 1000)
const gapsMs = fc.array(fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 10 ** 9 })), {
  maxLength: 300,
})
const timesMs = gapsMs.map((gaps) => {
  let timeMs = 0
  return [0, ...gaps.map((gap) => (timeMs += gap))]
})
const seeds = fc.integer({ min: 0, max: 999_999_999 })
const lossy = (times: readonly number[], seed: number) => planRequests(times, { batchSec: 10, isLossy: true, seed })

function pointsOf({ from, to }: PlannedRequest): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

describe('planRequests', () => {
  test('sends each batch once, when its last point is recorded', () => {
    const plan = planRequests([0, 4000, 9000, 10_000, 11_000], { batchSec: 10, isLossy: false, seed: 1 })

    assert.deepEqual(plan, [
      { from: 0, to: 3, dueMs: 9000, oddities: [], losses: [] },
      { from: 3, to: 5, dueMs: 11_000, oddities: [], losses: [] },
    ])
  })

  test('plays a long gap as a minute', () => {
    const plan = planRequests([0, 1000, 86_400_000], { batchSec: 10, isLossy: false, seed: 1 })

    assert.deepEqual(
      plan.map(({ dueMs }) => dueMs),
      [1000, 61_000],
    )
  })
})

describe('planRequests over a bad connection', () => {
  test('depends only on the seed', () => {
    assert.deepEqual(lossy(aRideMs, 5), lossy(aRideMs, 5))
    assert.notDeepEqual(lossy(aRideMs, 5), lossy(aRideMs, 6))
  })

  test('contains every kind of fault', () => {
    const plan = lossy(aRideMs, 1)

    const oddities = new Set(plan.flatMap((request) => request.oddities))
    const losses = new Set(plan.flatMap((request) => request.losses))
    assert.deepEqual([...oddities].sort(), ['after a time offline', 'late', 'overlapping', 'twice'])
    assert.deepEqual([...losses].sort(), ['answer lost', 'cut off'])
    const isOutOfOrder = plan.some(
      ({ from, oddities: odd }, i) => i > 0 && odd.includes('late') && from < plan[i - 1].from,
    )
    assert.ok(isOutOfOrder)
  })

  test('delivers every point, and every batch whole', () => {
    fc.assert(
      fc.property(timesMs, seeds, (times, seed) => {
        const plan = lossy(times, seed)

        assert.deepEqual(new Set(plan.flatMap(pointsOf)), new Set(times.keys()))
        for (const batch of cutBatches(times, 10_000)) {
          assert.ok(plan.some(({ from, to }) => from <= batch.from && to >= batch.to))
        }
      }),
    )
  })

  test('never goes back in time or sends a point before it is recorded', () => {
    fc.assert(
      fc.property(timesMs, seeds, (times, seed) => {
        const batches = planRequests(times, { batchSec: 10, isLossy: false, seed })

        const plan = lossy(times, seed)

        assert.ok(plan.every(({ dueMs }, i) => i === 0 || dueMs >= plan[i - 1].dueMs))
        for (const { to, dueMs } of plan) assert.ok(dueMs >= batches.find((batch) => batch.to === to)!.dueMs)
      }),
    )
  })

  test("never exceeds the service's limit of points in a request", () => {
    const manyMs = Array.from({ length: 120_000 }, (_, i) => i)

    const plan = lossy(manyMs, 3)

    assert.ok(
      plan.some(({ oddities }) => oddities.includes('overlapping') || oddities.includes('after a time offline')),
    )
    assert.ok(plan.every(({ from, to }) => to > from && to - from <= MAX_POINTS_PER_REQUEST))
  })
})

const seconds = (...values: number[]) => values.map((value) => value * 1000)

describe('cutBatches', () => {
  test('cuts at fixed intervals from the first point on, and skips empty ones', () => {
    const batches = cutBatches(seconds(5, 6, 14, 15, 60, 61, 65), 10_000)

    assert.deepEqual(batches, [
      { from: 0, to: 3 },
      { from: 3, to: 4 },
      { from: 4, to: 6 },
      { from: 6, to: 7 },
    ])
  })

  test("never exceeds the service's limit of points", () => {
    const batches = cutBatches(seconds(0, 1, 2, 3, 4), 10_000, 2)

    assert.deepEqual(batches, [
      { from: 0, to: 2 },
      { from: 2, to: 4 },
      { from: 4, to: 5 },
    ])
  })

  test('keeps points of the same time together, unless they are too many', () => {
    assert.deepEqual(cutBatches(seconds(0, 1, 1, 2), 10_000, 2), [
      { from: 0, to: 1 },
      { from: 1, to: 3 },
      { from: 3, to: 4 },
    ])
    assert.deepEqual(cutBatches(seconds(0, 0, 0), 10_000, 2), [
      { from: 0, to: 2 },
      { from: 2, to: 3 },
    ])
  })

  test('makes one batch of one point, and none without points', () => {
    assert.deepEqual(cutBatches(seconds(7), 10_000), [{ from: 0, to: 1 }])
    assert.deepEqual(cutBatches([], 10_000), [])
  })

  test('has every point exactly once, in order', () => {
    const times = fc
      .array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 60 })
      .map((all) => all.sort((a, b) => a - b))

    fc.assert(
      fc.property(
        times,
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 1, max: 9 }),
        (timesMs, batchMs, max) => {
          const batches = cutBatches(timesMs, batchMs, max)

          const indexes = batches.flatMap(({ from, to }) => timesMs.map((_, i) => i).slice(from, to))
          assert.deepEqual(
            indexes,
            timesMs.map((_, i) => i),
          )
          assert.ok(batches.every(({ from, to }) => to > from && to - from <= max))
        },
      ),
    )
  })
})
