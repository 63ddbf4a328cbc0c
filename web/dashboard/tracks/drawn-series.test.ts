import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TrackSeries } from '../api/tracks.ts'
import { drawnSeries } from './drawn-series.ts'

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
    extremes: {
      min_altitude_m: { index: 3, value: 96 },
      max_altitude_m: { index: 40, value: 107 },
      max_speed_mps: { index: 20, value: 8.2 },
    },
    left_out: { time_ms: [], latitude: [], longitude: [], reason: [] },
    trimmed: [],
    speed_source: 'points',
    elevation_method: '10s-3m',
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
