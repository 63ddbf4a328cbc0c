import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, type TestPoint } from '../../../test/support/track-columns.ts'
import { altitudeRuns } from './altitudes.ts'
import { elevationGain } from './elevation.ts'
import { LEG_KINDS } from './legs.ts'

const WALKING_MPS = 1.4

type Options = { stepSec?: number; medianMps?: number; pausedLeg?: number; teleportLeg?: number }

function climb(altitudes: readonly (number | undefined)[], options: Options = {}) {
  const { stepSec = 1, medianMps = WALKING_MPS, pausedLeg, teleportLeg } = options
  const points = altitudes.map((altitude, i): TestPoint => ({ sec: i * stepSec, altitude }))
  const kinds = new Uint8Array(points.length)
  if (pausedLeg !== undefined) kinds[pausedLeg] = LEG_KINDS.paused
  if (teleportLeg !== undefined) kinds[teleportLeg] = LEG_KINDS.teleport
  return elevationGain(altitudeRuns(columnsOf(points), kinds), medianMps)
}

function altitudes(count: number, altitude: (index: number) => number): number[] {
  return Array.from({ length: count }, (_, i) => altitude(i))
}

/** Wandering noise of the given sigma, with errors that hang together for 20 s, the same at every run of the test. */
function wanderingNoise(count: number, sigma: number): number[] {
  let seed = 12345
  const uniform = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return (seed + 0.5) / 2 ** 32
  }
  const keep = Math.exp(-1 / 20)
  let error = 0
  return altitudes(count, () => {
    const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
    error = error * keep + normal * sigma * Math.sqrt(1 - keep * keep)
    return error
  })
}

function triangle(meters: number, periodSec: number) {
  return (i: number) => (2 * meters * Math.abs(periodSec / 2 - (i % periodSec))) / periodSec
}

describe('elevationGain', () => {
  test('is 0 without altitudes and with a single one', () => {
    assert.deepEqual(climb([]), { gainMeters: 0, lossMeters: 0, method: 'plain', noiseMeters: undefined })
    assert.deepEqual(climb([undefined, 812, undefined]), climb([]))
  })

  test('sums every rise and fall of a few points, however small', () => {
    const { gainMeters, lossMeters, method } = climb([100, 101, 100.5, 103, 103, 102])

    assert.deepEqual({ gainMeters, lossMeters, method }, { gainMeters: 3.5, lossMeters: 1.5, method: 'plain' })
  })

  test('ignores points without altitude', () => {
    assert.equal(climb([100, undefined, 110, undefined, undefined, 130]).gainMeters, 30)
  })

  test('counts altitudes at and below sea level like any other', () => {
    const { gainMeters, lossMeters } = climb([-5, 0, -10])

    assert.deepEqual({ gainMeters, lossMeters }, { gainMeters: 5, lossMeters: 10 })
  })

  for (const stepSec of [1, 5, 30, 600]) {
    test(`counts an even ramp in full with points every ${stepSec} s`, () => {
      const { gainMeters, lossMeters } = climb(
        altitudes(101, (i) => 500 + 2 * i),
        { stepSec },
      )

      assert.deepEqual({ gainMeters, lossMeters }, { gainMeters: 200, lossMeters: 0 })
    })
  }

  test('counts clean hills in full when their slopes are longer than the window', () => {
    const { gainMeters, lossMeters, method } = climb(altitudes(3601, triangle(50, 600)))

    assert.equal(method, 'plain')
    assert.ok(Math.abs(gainMeters - 300) < 1e-6 && Math.abs(lossMeters - 300) < 1e-6)
  })

  test('counts hardly any climb on the flat, however noisy the altitudes', () => {
    for (const [sigma, method] of [
      [2, '30s-5m'],
      [4, '30s-10m'],
    ] as const) {
      const noise = wanderingNoise(7200, sigma)
      const plainMeters = noise.reduce((sum, meters, i) => sum + Math.max(0, meters - (noise[i - 1] ?? meters)), 0)

      const flat = climb(noise)

      assert.equal(flat.method, method)
      assert.ok(flat.gainMeters < plainMeters / 10, `${flat.gainMeters} m of ${plainMeters} m`)
    }
  })

  test('finds a climb of 600 m under the noise of a phone', () => {
    const noise = wanderingNoise(3600, 2)

    const { gainMeters } = climb(altitudes(3600, (i) => i / 6 + noise[i]))

    assert.ok(Math.abs(gainMeters / 600 - 1) < 0.1, `${gainMeters} m`)
  })

  test('counts no climb over a pause, and both sides of it in full', () => {
    const upToPause = altitudes(20, (i) => 100 + i)
    const fromPauseDown = altitudes(20, (i) => 900 - i)

    const { gainMeters, lossMeters } = climb([...upToPause, ...fromPauseDown], { pausedLeg: 20 })

    assert.deepEqual({ gainMeters, lossMeters }, { gainMeters: 19, lossMeters: 19 })
  })

  test('counts no climb over a pause whose first points have no altitude', () => {
    const { gainMeters } = climb([100, 110, undefined, undefined, 900, 905], { pausedLeg: 2 })

    assert.equal(gainMeters, 15)
  })

  test('continues a climb over a jump of the position, which does not affect the altitude', () => {
    assert.equal(climb([100, 110, 120], { teleportLeg: 1 }).gainMeters, 20)
  })

  test('distinguishes the hollows of a fast ride from noise', () => {
    const hollows = altitudes(3600, (i) => 12 * Math.sin(i / 12))

    assert.equal(climb(hollows, { medianMps: 9 }).method, '30s-5m')
    assert.equal(climb(hollows, { medianMps: WALKING_MPS }).method, '30s-10m')
  })

  test('stays finite and ignores altitudes that are not measurements', () => {
    const wild = climb([1e308, 100, -1e308, 110, Number.POSITIVE_INFINITY, 130])

    assert.deepEqual({ gain: wild.gainMeters, loss: wild.lossMeters }, { gain: 30, loss: 0 })
  })
})
