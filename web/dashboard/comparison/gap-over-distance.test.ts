import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparedSplits, gapOverDistance, leadsOf, splitEnds, type Way } from './gap-over-distance.ts'

const OPTIONS = { countedFrom: 'own-start', startSlackM: 0 } as const
const MORNING_MS = Date.UTC(2026, 4, 3, 8)

/** A track of even pace with a point every 10 m. Its stops are seconds at a place. */
function run(
  toM: number,
  more: { fromM?: number; secPerKm?: number; stops?: Record<number, number>; startMs?: number },
) {
  const { fromM = 0, secPerKm = 300, stops = {}, startMs = MORNING_MS } = more
  const way = { timeMs: [] as number[], meters: [] as number[] }
  let timeMs = startMs
  const add = (meters: number) => {
    way.timeMs.push(timeMs)
    way.meters.push(meters)
  }
  for (let meters = fromM; meters <= toM; meters += 10) {
    add(meters)
    if (stops[meters] !== undefined) {
      timeMs += stops[meters] * 1000
      add(meters)
    }
    timeMs += secPerKm * 10
  }
  return way
}

/** The gap at places, in whole seconds. */
function gapsAt(first: Way, second: Way, places: number[], options: Parameters<typeof gapOverDistance>[2] = OPTIONS) {
  const gap = gapOverDistance(first, second, { ...options, alsoAtM: places })
  return places.map((meters) => {
    const sec = gap.gapSec[gap.meters.indexOf(meters)]
    return typeof sec === 'number' ? Math.round(sec) : sec
  })
}

describe('gapOverDistance', () => {
  test('is zero all along for a track and itself', () => {
    const track = run(5000, { stops: { 1200: 90 } })

    const { gapSec, common } = gapOverDistance(track, track, OPTIONS)

    assert.deepEqual(new Set(gapSec), new Set([0]))
    assert.deepEqual(common, { fromM: 0, toM: 5000 })
  })

  test('is a line for a constant difference of pace, above zero while the first is ahead', () => {
    const [fast, slow] = [run(5000, { secPerKm: 300 }), run(5000, { secPerKm: 330 })]

    assert.deepEqual(gapsAt(fast, slow, [1000, 2000, 4000]), [30, 60, 120])
    assert.deepEqual(gapsAt(slow, fast, [1000, 2000, 4000]), [-30, -60, -120])
  })

  test('has a pause as a step', () => {
    const [paused, steady] = [run(5000, { stops: { 2000: 600 } }), run(5000, {})]

    assert.deepEqual(gapsAt(paused, steady, [1990, 2000, 2010, 4000]), [0, 0, -600, -600])
  })

  test('counts the times of each from where both have begun', () => {
    const [whole, late] = [run(5000, {}), run(5000, { fromM: 700, secPerKm: 360 })]

    const { common } = gapOverDistance(whole, late, OPTIONS)

    assert.deepEqual(common, { fromM: 700, toM: 5000 })
    assert.deepEqual(gapsAt(whole, late, [500, 700, 1700]), [null, 0, 60])
  })

  test('ends with the shorter one, and still has the times of the longer one', () => {
    const [long, short] = [run(5000, {}), run(2000, { secPerKm: 330 })]

    const { common, meters, elapsedSec } = gapOverDistance(long, short, OPTIONS)

    assert.deepEqual(common, { fromM: 0, toM: 2000 })
    assert.deepEqual(gapsAt(long, short, [1000, 3000]), [30, null])
    assert.equal(elapsedSec[0][meters.length - 1], 1500)
    assert.equal(elapsedSec[1][meters.length - 1], null)
  })

  test('does not count a wait before the start, unless by the clock', () => {
    const [prompt, waiting] = [run(2000, {}), run(2000, { stops: { 0: 120 } })]

    assert.deepEqual(gapsAt(prompt, waiting, [1000]), [0])
    assert.deepEqual(gapsAt(prompt, waiting, [1000], { ...OPTIONS, countedFrom: 'clock' }), [120])
  })

  test('begins at the last departure from the first places, after a warm-up that came back', () => {
    const warmUp = { timeMs: [0, 60, 120].map((sec) => MORNING_MS + sec * 1000), meters: [20, 400, 5] }
    const start = run(2000, { startMs: MORNING_MS + 300_000 })
    const warmed = { timeMs: [...warmUp.timeMs, ...start.timeMs], meters: [...warmUp.meters, ...start.meters] }

    assert.deepEqual(gapsAt(run(2000, {}), warmed, [300, 1000], { ...OPTIONS, startSlackM: 30 }), [0, 0])
    assert.equal(gapOverDistance(warmed, warmed, { ...OPTIONS, startSlackM: 30 }).common?.fromM, 0)
  })

  test('is unknown where a track left the way', () => {
    const left = run(3000, {})
    const meters = left.meters.map((each) => (each > 1000 && each < 2000 ? null : each))

    assert.deepEqual(gapsAt({ ...left, meters }, run(3000, {}), [900, 1500, 2500]), [0, null, 0])
  })

  test('of tracks without points is empty', () => {
    const none = { timeMs: [], meters: [] }

    assert.deepEqual(gapOverDistance(none, none, OPTIONS).gapSec, [])
    assert.equal(gapOverDistance(run(1000, {}), none, OPTIONS).common, undefined)
  })

  test('has as many steps for any number of points', () => {
    const long = run(500_000, {})

    assert.ok(long.meters.length > 50_000)
    assert.ok(gapOverDistance(long, long, OPTIONS).meters.length <= 1002)
  })
})

describe('leadsOf', () => {
  test('names who leads where, and by how much at most', () => {
    const [first, second] = [run(6000, { stops: { 3000: 300 } }), run(6000, { secPerKm: 360 })]

    const leads = leadsOf(gapOverDistance(first, second, { ...OPTIONS, alsoAtM: [3000] }))

    assert.deepEqual(
      leads.map(({ side, mostSec, mostAtM }) => [side, Math.round(mostSec), Math.round(mostAtM / 100)]),
      [
        [0, 180, 30],
        [1, 120, 30],
        [0, 60, 60],
      ],
    )
  })

  test('takes a few seconds for the error of a receiver', () => {
    const wavering = { meters: [0, 1, 2, 3, 4], gapSec: [0, 4, -4, 3, -2] }

    assert.deepEqual(leadsOf(wavering), [])
  })
})

describe('comparedSplits', () => {
  test('has the time of each, the difference and the gap, the last one up to the end', () => {
    const [fast, slow] = [run(2500, {}), run(2500, { secPerKm: 330 })]
    const ends = splitEnds({ fromM: 0, toM: 2500 }, 1000)

    const splits = comparedSplits(gapOverDistance(fast, slow, { ...OPTIONS, alsoAtM: ends }), [0, ...ends])

    assert.deepEqual(
      splits.map(({ toM, sec, differenceSec, gapSec }) =>
        [toM, ...sec, differenceSec, gapSec].map((value) => Math.round(value!)),
      ),
      [
        [1000, 300, 330, 30, 30],
        [2000, 300, 330, 30, 60],
        [2500, 150, 165, 15, 75],
      ],
    )
  })
})
