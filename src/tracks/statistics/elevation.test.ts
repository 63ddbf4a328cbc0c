import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, northward, type TestPoint } from '../../../test/support/track-columns.ts'
import { wanderingNoise } from '../../../test/support/wandering-noise.ts'
import { altitudeRuns, removeAltitudeSpikes } from './altitudes.ts'
import {
  climbInterval,
  cumulativeClimbs,
  elevationProfile,
  expectedPositive,
  heightsAt,
  totalClimb,
} from './elevation.ts'
import { LEG_KINDS } from './legs.ts'
import { legDistances } from './trace.ts'

const WALKING_MPS = 1.4
const RIDING_MPS = 7

type Options = { stepSec?: number; mps?: number; pausedLeg?: number; teleportLeg?: number }

function profileOf(altitudes: readonly (number | undefined)[], options: Options = {}) {
  const { stepSec = 1, mps = WALKING_MPS, pausedLeg, teleportLeg } = options
  const trace = columnsOf(
    northward(altitudes.length, stepSec, (i) => i * stepSec * mps).map(
      (point, i): TestPoint => ({ ...point, altitude: altitudes[i] }),
    ),
  )
  const kinds = new Uint8Array(trace.count)
  if (pausedLeg !== undefined) kinds[pausedLeg] = LEG_KINDS.paused
  if (teleportLeg !== undefined) kinds[teleportLeg] = LEG_KINDS.teleport
  const runs = removeAltitudeSpikes(altitudeRuns(trace, kinds, legDistances(trace)))
  return { trace, runs, profile: elevationProfile(runs) }
}

function climb(altitudes: readonly (number | undefined)[], options: Options = {}) {
  const { profile } = profileOf(altitudes, options)
  return { ...totalClimb(profile), method: profile.method, noiseMeters: profile.noiseMeters }
}

function altitudes(count: number, altitude: (index: number) => number): number[] {
  return Array.from({ length: count }, (_, i) => altitude(i))
}

/** Returns altitudes with errors that stay alike for 30 s, as those of a receiver do. */
function received(trueAltitudes: readonly number[], sigma: number, { stepSec = 1, seed = 1 } = {}): number[] {
  const noise = wanderingNoise(trueAltitudes.length, sigma, { keep: Math.exp(-stepSec / 30), seed })
  return trueAltitudes.map((altitude, i) => altitude + noise[i])
}

function triangle(meters: number, periodSec: number) {
  return (i: number) => 500 + (2 * meters * Math.abs(periodSec / 2 - (i % periodSec))) / periodSec
}

function assertWithin(actual: number, expected: number, share: number) {
  assert.ok(Math.abs(actual / expected - 1) <= share, `${actual} is not within ${share * 100} % of ${expected}`)
}

describe('climb of few or exact altitudes', () => {
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

  test('counts clean hills in full', () => {
    const { gainMeters, lossMeters, method } = climb(altitudes(3601, triangle(50, 600)))

    assert.equal(method, 'plain')
    assert.ok(Math.abs(gainMeters - 300) < 1e-6 && Math.abs(lossMeters - 300) < 1e-6)
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

  test('stays finite and ignores altitudes that are not measurements', () => {
    const wild = climb([1e308, 100, -1e308, 110, Number.POSITIVE_INFINITY, 130])

    assert.deepEqual({ gain: wild.gainMeters, loss: wild.lossMeters }, { gain: 30, loss: 0 })
  })
})

describe('climb under the noise of a receiver', () => {
  for (const sigma of [2, 4]) {
    test(`is hardly any on a flat walk of 10 km with ± ${sigma} m`, () => {
      const flat = climb(received(new Array(7200).fill(100), sigma))

      assert.equal(flat.method, 'kalman')
      assertWithin(flat.noiseMeters!, sigma, 0.2)
      assert.ok(flat.gainMeters <= 30 && flat.lossMeters <= 30, `${flat.gainMeters} m`)
    })
  }

  test('is none while standing for an hour', () => {
    const standing = climb(received(new Array(3600).fill(100), 4), { mps: 0 })

    assert.ok(standing.gainMeters <= 5, `${standing.gainMeters} m`)
  })

  test('is that of a long climb', () => {
    for (const sigma of [0.3, 2, 4]) {
      const { gainMeters, lossMeters } = climb(
        received(
          altitudes(3600, (i) => i / 6),
          sigma,
        ),
      )

      assertWithin(gainMeters, 600, 0.03)
      assert.ok(lossMeters < 20, `${lossMeters} m`)
    }
  })

  test('is that of hills, whatever the interval of the points', () => {
    for (const stepSec of [1, 5, 10, 30]) {
      const hills = altitudes(7200 / stepSec, (i) => triangle(50, 600)(i * stepSec))

      const { gainMeters } = climb(received(hills, 2, { stepSec }), { stepSec, mps: RIDING_MPS })

      assertWithin(gainMeters, 600, 0.12)
    }
  })

  test('keeps hills that follow each other quickly if the altitudes are quiet', () => {
    const quiet = climb(received(altitudes(3600, triangle(10, 100)), 0.3))

    assertWithin(quiet.gainMeters, 360, 0.2)
  })

  test('is not raised by single altitudes that are far off but not fast enough for spikes', () => {
    const hills = received(altitudes(3600, triangle(50, 600)), 2)
    const withOutliers = hills.map((altitude, i) => (i % 600 === 300 ? altitude + 45 : altitude))

    assertWithin(climb(withOutliers, { stepSec: 5 }).gainMeters, climb(hills, { stepSec: 5 }).gainMeters, 0.05)
  })

  test('is estimated although the recorder was off for days', () => {
    const flat = received(new Array(2000).fill(100), 4)
    const { trace } = profileOf(flat)
    trace.timeMs.fill(trace.timeMs[999] + 10 * 86_400_000, 1000)
    for (let i = 1000; i < 2000; i++) trace.timeMs[i] += i * 1000
    const runs = altitudeRuns(trace, new Uint8Array(2000), legDistances(trace))

    const { method, gainMeters } = elevationProfile(runs)

    assert.equal(method, 'kalman')
    assert.ok(gainMeters.at(-1)! < 30, `${gainMeters.at(-1)} m`)
  })

  test('follows an altitude that has really changed', () => {
    const step = received(
      altitudes(2000, (i) => (i < 1000 ? 100 : 300)),
      2,
    )

    const { gainMeters, lossMeters } = climb(step)

    assertWithin(gainMeters - lossMeters, 200, 0.02)
  })

  test('does not depend on where zero is', () => {
    const hills = received(altitudes(3600, triangle(50, 600)), 2)
    const shifted = climb(hills.map((altitude) => altitude + 4096))

    assertWithin(shifted.gainMeters, climb(hills).gainMeters, 1e-3)
  })

  test('adds up: gain less loss is the difference of the heights, and points share the climb of their leg', () => {
    const { trace, runs, profile } = profileOf(received(altitudes(3600, triangle(50, 600)), 2))
    const { gainMeters, lossMeters } = totalClimb(profile)
    const heights = heightsAt(runs.timeMs, profile)
    const so = cumulativeClimbs(trace, profile)

    assert.ok(Math.abs(gainMeters - lossMeters - (heights[3599] - heights[0])) < 1e-6)
    assert.deepEqual([so.gainMeters[0], so.gainMeters[3599], so.lossMeters[3599]], [0, gainMeters, lossMeters])
    assert.ok(so.gainMeters.every((meters, i) => i === 0 || meters >= so.gainMeters[i - 1]))
    assert.ok(Math.abs(so.gainMeters[405] - (so.gainMeters[400] + so.gainMeters[410]) / 2) < 1e-9)
  })

  test('counts no climb over a pause', () => {
    const valley = received(new Array(1800).fill(400), 2)
    const summit = received(new Array(1800).fill(1400), 2, { seed: 2 })

    const { gainMeters, lossMeters } = climb([...valley, ...summit], { pausedLeg: 1800 })

    assert.ok(gainMeters < 30 && lossMeters < 30, `${gainMeters} m, ${lossMeters} m`)
  })

  test('gives the same bits for the same altitudes', () => {
    const hills = received(altitudes(3600, triangle(50, 600)), 4)

    assert.deepEqual(profileOf(hills).profile, profileOf(hills).profile)
  })

  test('takes long recordings in few steps', () => {
    const { profile } = profileOf(received(altitudes(50_000, triangle(300, 3000)), 2, { stepSec: 60 }), { stepSec: 60 })

    assert.ok(profile.timeMs.length <= 25_001, `${profile.timeMs.length} steps`)
    assertWithin(totalClimb(profile).gainMeters, (50_000 / 3000) * 300, 0.1)
  })
})

describe('expectedPositive', () => {
  test('is the positive part of a certain value', () => {
    assert.deepEqual(
      [3, -3].map((mean) => expectedPositive(mean, 0)),
      [3, 0],
    )
  })

  test('agrees with the integral of the positive part', () => {
    for (const [mean, deviation] of [
      [0, 1],
      [1, 1],
      [-2, 1.5],
      [5, 0.5],
      [-20, 1],
    ]) {
      let integral = 0
      for (let x = 0.0005; x < 40; x += 0.001) {
        const z = (x - mean) / deviation
        integral += (x * Math.exp((-z * z) / 2) * 0.001) / (deviation * Math.sqrt(2 * Math.PI))
      }
      assert.ok(Math.abs(expectedPositive(mean, deviation) - integral) < 1e-6, `${mean} ± ${deviation}`)
    }
  })
})

describe('climbInterval', () => {
  test('grows with the climb, and with noise and way together, from 8 m on either side', () => {
    const widthOf = (...[climb, noise, way]: Parameters<typeof climbInterval>) => {
      const [low, high] = climbInterval(climb, noise, way)
      return Math.round(high - low)
    }

    assert.deepEqual([widthOf(1000, 0, 50_000), widthOf(1000, 4, 50_000), widthOf(1000, 4, 0)], [294, 354, 294])
    assert.equal(widthOf(0, 4, 0), 8)
  })

  test('is around the climb, and never below 0', () => {
    const [low, high] = climbInterval(1000, 2, 20_000)

    assert.ok(Math.abs((low + high) / 2 - 1000) < 1e-9)
    assert.equal(climbInterval(10, 4, 40_000)[0], 0)
  })
})
