import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Pause } from '../model/track-state.ts'
import { emptyColumns, type PointColumns } from '../points/point-columns.ts'
import { examineTrack } from './examined-track.ts'
import { computeSeries } from './series.ts'
import { computeStatistics, type TrackStatistics } from './statistics.ts'

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

function numbersOf(statistics: TrackStatistics): number[] {
  const { method, leftOut, ...figures } = statistics
  const known = [...Object.values(figures).flat(), method.altitudeNoiseMeters].filter((value) => value !== undefined)
  return [...known, ...Object.values(leftOut)]
}

describe('computeStatistics, for any points', () => {
  test('returns finite numbers, none below 0 but altitudes', () => {
    fc.assert(
      fc.property(wildRows, pauses, settings, (rows, paused, options) => {
        const statistics = computeStatistics(columnsOf(rows), paused, options)

        const { maxAltitudeMeters: _max, minAltitudeMeters: _min, ...positive } = statistics
        assert.ok(numbersOf(statistics).every(Number.isFinite))
        assert.ok(numbersOf(positive as TrackStatistics).every((value) => value >= 0))
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
          [figures.maxAltitudeMeters, figures.minAltitudeMeters, figures.maxSpeedMps],
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
        const { distanceMeters, durationSec, meanSpeedMps, paceSecPerKm, movingTimeSec, pausedTimeSec } = figures

        assert.ok(movingTimeSec + pausedTimeSec <= (durationSec + 0.5) * (1 + 1e-9))
        assert.equal(meanSpeedMps, durationSec === 0 ? 0 : distanceMeters / durationSec)
        if (distanceMeters > 0) assert.ok(Math.abs(paceSecPerKm * distanceMeters - durationSec * 1000) <= durationSec)
      }),
    )
  })

  test('counts no distance and no climb while everything is paused', () => {
    const always = [{ fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }]

    fc.assert(
      fc.property(wildRows, settings, (rows, options) => {
        const figures = computeStatistics(columnsOf(rows), always, options)

        assert.deepEqual(
          [figures.distanceMeters, figures.elevationGainMeters, figures.elevationLossMeters, figures.movingTimeSec],
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
        const { pointsCount, leftOut, ...without } = computeStatistics(columnsOf(rows), [], options)

        const {
          pointsCount: count,
          leftOut: more,
          ...figures
        } = computeStatistics(columnsOf([...rows, worse]), [], options)

        assert.deepEqual(figures, without)
        assert.deepEqual([count, more.sameTimePoints], [pointsCount + 1, leftOut.sameTimePoints + 1])
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

        const { distanceMeters } = computeStatistics(columnsOf(rows), [], onFoot)

        const expected = ((rows[rows.length - 1].latitude - 45) * Math.PI * 6_371_008.8) / 180
        assert.ok(Math.abs(distanceMeters - expected) < 1e-3)
      }),
    )
  })

  test('has a gain less loss that matches start and end, up to the noise of both altitudes', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const rows = walk(list)

        const figures = computeStatistics(columnsOf(rows), [], onFoot)

        const net = rows[rows.length - 1].altitude - 1000
        const slack = figures.method.elevation === 'plain' ? 1e-6 : 8 * figures.method.altitudeNoiseMeters!
        assert.ok(Math.abs(figures.elevationGainMeters - figures.elevationLossMeters - net) <= slack)
      }),
    )
  })
})
