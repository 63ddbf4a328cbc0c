import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf } from '../../../test/support/track-columns.ts'
import { altitudeRuns, removeAltitudeSpikes } from './altitudes.ts'
import { LEG_KINDS } from './legs.ts'

function runsOf(altitudes: readonly number[], options: { stepSec?: number; pausedLeg?: number } = {}) {
  const kinds = new Uint8Array(altitudes.length)
  if (options.pausedLeg !== undefined) kinds[options.pausedLeg] = LEG_KINDS.paused
  const points = columnsOf(altitudes.map((altitude, i) => ({ sec: i * (options.stepSec ?? 1), altitude })))
  return altitudeRuns(points, kinds, new Float64Array(altitudes.length).fill(2))
}

/** An even climb of 0.5 m a second, with some altitudes set to something else. */
function climbWith(count: number, others: Record<number, number>): number[] {
  return Array.from({ length: count }, (_, i) => others[i] ?? 100 + i / 2)
}

describe('altitudeRuns', () => {
  test('says how far each altitude is along the way, without jumps of the receiver', () => {
    const points = columnsOf(
      [{ altitude: 1 }, { altitude: 2 }, {}, { altitude: 3 }].map((point, sec) => ({ sec, ...point })),
    )

    const runs = altitudeRuns(points, Uint8Array.of(0, 0, LEG_KINDS.teleport, 0), Float64Array.of(0, 10, 900, 5))

    assert.deepEqual([...runs.travelledMeters], [0, 10, 15])
  })
})

describe('removeAltitudeSpikes', () => {
  test('leaves out altitudes that leap away and back', () => {
    const runs = removeAltitudeSpikes(runsOf(climbWith(60, { 1: 187, 2: 187, 3: 187, 40: -900 })))

    assert.deepEqual(
      [...runs.meters],
      climbWith(60, {}).filter((_, i) => ![1, 2, 3, 40].includes(i)),
    )
    assert.deepEqual([...runs.bounds], [0, 56])
    assert.deepEqual([...runs.travelledMeters].slice(0, 2), [2, 10])
  })

  test('keeps a leap that does not come back', () => {
    const runs = runsOf(climbWith(60, {}).map((altitude, i) => altitude + (i >= 30 ? 80 : 0)))

    assert.equal(removeAltitudeSpikes(runs), runs)
  })

  test('keeps altitudes that move fast throughout, few altitudes, and slow hills', () => {
    const wild = runsOf(climbWith(60, {}).map((altitude, i) => altitude + (i % 2) * 25))
    const few = runsOf(climbWith(20, { 10: 300 }))
    const hill = runsOf(climbWith(60, { 30: 300 }), { stepSec: 60 })

    assert.deepEqual([wild, few, hill].map(removeAltitudeSpikes), [wild, few, hill])
  })

  test('does not look across a pause', () => {
    const runs = runsOf(
      climbWith(60, {}).map((altitude, i) => altitude + (i >= 30 ? 500 : 0)),
      { pausedLeg: 30 },
    )

    assert.equal(removeAltitudeSpikes(runs), runs)
  })
})
