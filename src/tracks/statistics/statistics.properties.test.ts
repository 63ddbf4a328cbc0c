import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Pause } from '../model/track-state.ts'
import { emptyColumns, type PointColumns } from '../points/point-columns.ts'
import { examineTrack } from './examined-track.ts'
import { computeSeries } from './series.ts'
import { computeStatistics, type StatisticsJson } from './statistics.ts'

const YEAR_0_MS = Date.UTC(2000, 0, 1) - 2000 * 366 * 86_400_000
const YEAR_9000_MS = Date.UTC(9000, 0, 1)

type Row = { timeMs: number; latitude: number; longitude: number; altitude: number; accuracy: number; speedMps: number }

const time = fc.oneof(
  fc.integer({ min: 0, max: 400_000 }),
  fc.integer({ min: YEAR_0_MS, max: YEAR_9000_MS }),
  fc.constantFrom(0, 1000, 2000),
)
/** Any number that JSON can carry, or none. */
const wild = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(Number.NaN, 1e308, -1e308, 0, -0, -1),
)
const altitude = fc.oneof(wild, fc.double({ min: -100, max: 4000, noNaN: true }))

const wildRow: fc.Arbitrary<Row> = fc.record({
  timeMs: time,
  latitude: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 0)),
  longitude: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180, 0)),
  altitude,
  accuracy: wild,
  speedMps: wild,
})
const wildRows = fc.oneof(fc.array(wildRow, { maxLength: 80 }), fc.array(wildRow, { minLength: 60, maxLength: 120 }))

const pauses: fc.Arbitrary<Pause[]> = fc
  .uniqueArray(fc.integer({ min: -1000, max: 500_000 }), { maxLength: 7 })
  .map((times) => {
    const edges = times.toSorted((a, b) => a - b)
    return edges.flatMap((fromMs, i) =>
      i % 2 === 0 ? [{ fromMs, toMs: edges[i + 1] ?? Number.POSITIVE_INFINITY }] : [],
    )
  })
const settings = fc.record({
  activityType: fc.constantFrom('run', 'walk', 'bike', 'hike'),
  maxAccuracyMeters: fc.constantFrom(0, 50),
})

function columnsOf(rows: readonly Row[]): PointColumns {
  const columns = emptyColumns(rows.length)
  rows.toSorted(canonically).forEach((row, i) => {
    for (const name of ['timeMs', 'latitude', 'longitude', 'altitude', 'accuracy', 'speedMps'] as const) {
      columns[name][i] = row[name]
    }
  })
  return columns
}

/** By time, then by the bits of every field: an order that does not depend on the order of arrival. */
function canonically(a: Row, b: Row): number {
  return a.timeMs - b.timeMs || Buffer.compare(bitsOf(a), bitsOf(b))
}

function bitsOf(row: Row): Buffer {
  return Buffer.from(Float64Array.from(Object.values(row)).buffer)
}

function numbersOf(statistics: StatisticsJson): number[] {
  const { method, left_out, ...figures } = statistics
  const known = [...Object.values(figures).flat(), method.altitude_noise_m].filter((value) => value !== undefined)
  return [...known, ...Object.values(left_out)]
}

describe('computeStatistics, for any points', () => {
  test('returns finite numbers, none below 0 but altitudes', () => {
    fc.assert(
      fc.property(wildRows, pauses, settings, (rows, paused, options) => {
        const statistics = computeStatistics(columnsOf(rows), paused, options)

        const { max_altitude_m: _max, min_altitude_m: _min, ...positive } = statistics
        assert.ok(numbersOf(statistics).every(Number.isFinite))
        assert.ok(numbersOf(positive as StatisticsJson).every((value) => value >= 0))
      }),
    )
  })

  test('returns the same bits in whatever order the points arrive', () => {
    const shuffled = wildRows.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    )

    fc.assert(
      fc.property(shuffled, pauses, settings, ([rows, others], paused, options) => {
        const statistics = computeStatistics(columnsOf(rows), paused, options)

        assert.deepEqual(computeStatistics(columnsOf(others), paused, options), statistics)
      }),
    )
  })

  test('claims extremes that the series has at the points it names, however few points it keeps', () => {
    fc.assert(
      fc.property(wildRows, pauses, settings, (rows, paused, options) => {
        const columns = columnsOf(rows)
        const figures = computeStatistics(columns, paused, options)

        const { altitude, altitudeSmoothed, extremes } = computeSeries(
          columns,
          examineTrack(columns, paused, options),
          50,
        )

        const { highest, lowest, fastest } = extremes
        assert.deepEqual(
          [highest?.value, lowest?.value, fastest?.value],
          [figures.max_altitude_m, figures.min_altitude_m, figures.max_speed_mps],
        )
        for (const extreme of [highest, lowest]) {
          if (extreme === undefined) continue
          assert.equal(altitude[extreme.index], extreme.value)
          assert.ok(!Number.isNaN(altitudeSmoothed[extreme.index]))
        }
        if (fastest !== undefined) assert.ok(fastest.index >= 0)
      }),
    )
  })

  test('does not change the points', () => {
    fc.assert(
      fc.property(wildRows, settings, (rows, options) => {
        const columns = columnsOf(rows)

        computeStatistics(columns, [], options)

        assert.deepEqual(columns, columnsOf(rows))
      }),
    )
  })

  test('has moving and paused time within the duration, and consistent speed and pace', () => {
    fc.assert(
      fc.property(wildRows, pauses, settings, (rows, paused, options) => {
        const figures = computeStatistics(columnsOf(rows), paused, options)
        const { distance_meters, duration_sec, mean_speed_mps, pace_sec_per_km, moving_time_sec, paused_time_sec } =
          figures

        assert.ok(moving_time_sec + paused_time_sec <= (duration_sec + 0.5) * (1 + 1e-9))
        assert.equal(mean_speed_mps, duration_sec === 0 ? 0 : distance_meters / duration_sec)
        if (distance_meters > 0)
          assert.ok(Math.abs(pace_sec_per_km * distance_meters - duration_sec * 1000) <= duration_sec)
      }),
    )
  })

  test('counts no distance and no climb while everything is paused', () => {
    const always = [{ fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }]

    fc.assert(
      fc.property(wildRows, settings, (rows, options) => {
        const figures = computeStatistics(columnsOf(rows), always, options)

        assert.deepEqual(
          [figures.distance_meters, figures.elevation_gain_m, figures.elevation_loss_m, figures.moving_time_sec],
          [0, 0, 0, 0],
        )
      }),
    )
  })

  test('is not changed by a less accurate point of the same time', () => {
    const known = wildRow.map((row) => ({ ...row, accuracy: 5 }))
    const withWorse = fc.tuple(fc.array(known, { minLength: 1, maxLength: 50 }), wildRow, fc.nat())

    fc.assert(
      fc.property(withWorse, settings, ([rows, other, index], options) => {
        const worse = { ...other, timeMs: rows[index % rows.length].timeMs, accuracy: 20 }
        const { points_count, left_out, ...without } = computeStatistics(columnsOf(rows), [], options)

        const {
          points_count: count,
          left_out: more,
          ...figures
        } = computeStatistics(columnsOf([...rows, worse]), [], options)

        assert.deepEqual(figures, without)
        assert.deepEqual([count, more.same_time_points], [points_count + 1, left_out.same_time_points + 1])
      }),
    )
  })
})

describe('computeStatistics, for a walk', () => {
  const steps = fc.array(
    fc.record({
      sec: fc.integer({ min: 1, max: 9 }),
      degrees: fc.double({ min: 0, max: 3e-5, noNaN: true }),
      rise: fc.integer({ min: -3, max: 3 }),
    }),
    { minLength: 1, maxLength: 200 },
  )

  function walk(list: { sec: number; degrees: number; rise: number }[]): Row[] {
    let row: Row = { timeMs: 0, latitude: 45, longitude: 6, altitude: 1000, accuracy: 5, speedMps: Number.NaN }
    return [
      row,
      ...list.map(({ sec, degrees, rise }) => {
        row = {
          ...row,
          timeMs: row.timeMs + sec * 1000,
          latitude: row.latitude + degrees,
          altitude: row.altitude + rise,
        }
        return row
      }),
    ]
  }

  const onFoot = { activityType: 'walk', maxAccuracyMeters: 50 } as const

  test('measures a straight line', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const rows = walk(list)

        const { distance_meters } = computeStatistics(columnsOf(rows), [], onFoot)

        const expected = ((rows[rows.length - 1].latitude - 45) * Math.PI * 6_371_008.8) / 180
        assert.ok(Math.abs(distance_meters - expected) < 1e-3)
      }),
    )
  })

  test('has a gain less loss that matches start and end, up to the noise of both altitudes', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const rows = walk(list)

        const figures = computeStatistics(columnsOf(rows), [], onFoot)

        const net = rows[rows.length - 1].altitude - 1000
        const slack = figures.method.elevation === 'plain' ? 1e-6 : 8 * figures.method.altitude_noise_m!
        assert.ok(Math.abs(figures.elevation_gain_m - figures.elevation_loss_m - net) <= slack)
      }),
    )
  })
})
