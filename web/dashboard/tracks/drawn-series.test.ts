import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TrackSeries } from '../generated/types.gen.ts'
import { drawnSeries, gradients, indexRangeOf, smoothingMs, smoothSpeeds } from './drawn-series.ts'

/** A track at 5 m/s with a point each second; its highest, lowest and fastest points stand out. */
function seriesOf(count: number): TrackSeries {
  const column = <Value>(value: (index: number) => Value) => Array.from({ length: count }, (_, index) => value(index))
  return {
    track_id: 'one',
    points_count: count,
    points_used: count,
    time_ms: column((index) => index * 1000),
    latitude: column(() => 46),
    longitude: column((index) => index / 10_000),
    altitude: column(() => 100),
    altitude_smoothed: column(() => 100),
    speed_mps: column(() => 5),
    distance_meters: column((index) => index * 5),
    gaps: [],
    stops: [],
    extremes: {
      min_altitude_m: { index: 3, value: 96 },
      max_altitude_m: { index: 40, value: 107 },
      max_speed_mps: { index: 20, value: 8.2 },
    },
    left_out: { time_ms: [], latitude: [], longitude: [], reason: [] },
    trimmed: [],
    speed_source: 'points',
    elevation_method: 'kalman',
  }
}

describe('drawnSeries', () => {
  test('has the extremes of the statistics in its lines, and nothing beyond them', () => {
    const { altitude_smoothed, speed_mps } = drawnSeries(seriesOf(60))

    assert.deepEqual(
      [Math.min(...altitude_smoothed.map(Number)), Math.max(...altitude_smoothed.map(Number))],
      [96, 107],
    )
    assert.deepEqual([altitude_smoothed[40], altitude_smoothed[3], speed_mps[20]], [107, 96, 8.2])
    assert.equal(Math.max(...speed_mps.map(Number)), 8.2)
  })

  test('draws no speed above the maximum', () => {
    const series = seriesOf(60)
    series.extremes.max_speed_mps = { index: 20, value: 4.5 }

    assert.equal(Math.max(...drawnSeries(series).speed_mps.map(Number)), 4.5)
  })

  test('adds nothing where nothing is known', () => {
    const series: TrackSeries = { ...seriesOf(1), extremes: {}, altitude_smoothed: [null] }

    const drawn = drawnSeries(series)

    assert.deepEqual([drawn.speed_mps, drawn.altitude_smoothed, drawn.gradient], [[null], [null], [null]])
  })
})

/** A track at 5 m/s with a point each second. */
const way = (count: number, gaps: number[] = []) => ({
  time_ms: Array.from({ length: count }, (_, index) => index * 1000),
  distance_meters: Array.from({ length: count }, (_, index) => index * 5),
  gaps: gaps.map((index) => ({ index, reason: 'pause' as const })),
})

describe('smoothSpeeds', () => {
  test('keeps a steady speed steady, up to both ends', () => {
    assert.deepEqual(new Set(smoothSpeeds(way(60))), new Set([5]))
  })

  test('is hardly affected by one position that jumps', () => {
    const leapt = way(60)
    for (let index = 30; index < 60; index++) leapt.distance_meters[index] += 25

    const highest = Math.max(...smoothSpeeds(leapt).map((mps) => mps ?? 0))

    assert.ok(highest < 7, `${highest} m/s`)
  })

  test('does not average over a gap, and gives null for an isolated point', () => {
    const broken = way(5, [2, 3])
    for (let index = 2; index < 5; index++) broken.time_ms[index] += 1_000_000

    assert.deepEqual(smoothSpeeds(broken), [5, 5, null, 5, 5])
  })

  test('uses the neighbours of points that are far apart', () => {
    const sparse = { time_ms: [0, 60_000, 120_000], distance_meters: [0, 60, 180], gaps: [] }

    assert.deepEqual(smoothSpeeds(sparse), [1, 1.5, 2])
  })

  test('averages over 30 s, over up to 60 s on a long track', () => {
    const during = (hours: number) => smoothingMs([0, hours * 3_600_000])

    assert.deepEqual([during(0.1), during(1), during(1.5), during(9)], [30_000, 30_000, 45_000, 60_000])
  })
})

const wayOfGradients = (count: number, gaps: number[] = []) => ({
  distance_meters: Array.from({ length: count }, (_, index) => index * 10),
  gaps: gaps.map((index) => ({ index, reason: 'pause' as const })),
})

describe('gradients', () => {
  test('are rise divided by way', () => {
    const slopes = gradients(
      wayOfGradients(100),
      Array.from({ length: 100 }, (_, index) => index),
    )

    assert.deepEqual(new Set(slopes.map((slope) => slope!.toFixed(3))), new Set(['0.100']))
  })

  test('are unknown without altitudes, and on a way of a few metres', () => {
    assert.deepEqual(gradients(wayOfGradients(3), [1, 2, 3]), [null, null, null])
    assert.ok(gradients(wayOfGradients(50), Array(50).fill(null)).every((slope) => slope === null))
  })

  test('do not count a lift taken in a pause', () => {
    const altitudes = Array.from({ length: 40 }, (_, index) => (index < 20 ? 100 : 600))

    assert.deepEqual(new Set(gradients(wayOfGradients(40, [20]), altitudes)), new Set([0]))
  })
})

const time_ms = [0, 10_000, 20_000, 30_000, 40_000]
const at = (sec: number) => new Date(sec * 1000).toISOString()

describe('the points of a split', () => {
  test('reach from the point before its start to the one after its end', () => {
    assert.deepEqual(indexRangeOf(time_ms, { start_ts: at(12), end_ts: at(27) }), { from: 1, to: 3 })
  })

  test('touch those of the next split, and end with the track', () => {
    assert.deepEqual(indexRangeOf(time_ms, { start_ts: at(0), end_ts: at(20) }), { from: 0, to: 2 })
    assert.deepEqual(indexRangeOf(time_ms, { start_ts: at(20), end_ts: at(99) }), { from: 2, to: 4 })
  })
})
