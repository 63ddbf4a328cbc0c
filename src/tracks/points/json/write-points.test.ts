import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { MAX_TIME_MS, MIN_TIME_MS } from '#platform/basics/time.ts'
import { emptyColumns, type PointColumns } from '../point-columns.ts'
import { writeNumber, writePointsJson } from './write-points.ts'

type Values = {
  timeMs: number
  latitude: number
  longitude: number
  altitude?: number
  accuracy?: number
  speedMps?: number
  heading?: number
  battery?: number
}

function columnsOf(values: Values[]): PointColumns {
  const columns = emptyColumns(values.length)
  for (const [index, point] of values.entries()) {
    for (const [name, value] of Object.entries(point)) columns[name as keyof Values][index] = value
  }
  return columns
}

function write(values: Values[]): string {
  return writePointsJson(columnsOf(values), 0, values.length, true).toString()
}

/** A double as `JSON.stringify` writes it, but for -0, which that loses. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : JSON.stringify(value)
}

/** The point as a JSON text, put together in the plainest way. */
function pointText({ timeMs, latitude, longitude, ...optional }: Values): string {
  const wireNames = ['altitude', 'accuracy', 'speed_mps', 'heading', 'battery']
  const values = [optional.altitude, optional.accuracy, optional.speedMps, optional.heading, optional.battery]
  const members = values.flatMap((value, index) =>
    value === undefined ? [] : [`"${wireNames[index]}":${numberText(value)}`],
  )
  const time = `"timestamp":"${new Date(timeMs).toISOString()}"`
  const place = [`"latitude":${numberText(latitude)}`, `"longitude":${numberText(longitude)}`]
  return `{${[...place, time, ...members].join(',')}}`
}

const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true })
const decimal = fc
  .tuple(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), fc.nat(15))
  .map(([digits, decimals]) => digits / 10 ** decimals)
const double = fc.oneof(
  anyDouble,
  decimal,
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(0, -0, 5e-324),
)
const point = fc.record(
  {
    timeMs: fc.oneof(
      fc.integer({ min: MIN_TIME_MS, max: MAX_TIME_MS }),
      fc.integer({ min: 1_795_255_200_000, max: 1_795_255_400_000 }),
      fc.integer({ min: -100_000, max: 100_000 }),
    ),
    latitude: double,
    longitude: double,
    altitude: double,
    accuracy: double,
    speedMps: double,
    heading: double,
    battery: double,
  },
  { requiredKeys: ['timeMs', 'latitude', 'longitude'] },
)

describe('writePointsJson', () => {
  test('writes every field that is listed', () => {
    const columns = columnsOf([
      {
        timeMs: Date.UTC(2026, 10, 21, 10, 0, 0, 50),
        latitude: 48.8566123,
        longitude: -2.3,
        altitude: 35,
        accuracy: 4.5,
        speedMps: 1.25,
        heading: 0,
        battery: 0.85,
      },
    ])
    columns.origin[0] = 1

    assert.equal(
      writePointsJson(columns, 0, 1, true).toString(),
      '{"latitude":48.8566123,"longitude":-2.3,"timestamp":"2026-11-21T10:00:00.050Z","altitude":35,"accuracy":4.5,' +
        '"speed_mps":1.25,"heading":0,"battery":0.85}',
    )
  })

  test('leaves out the fields that a point does not have', () => {
    const text = write([{ timeMs: -1, latitude: -0, longitude: 0, speedMps: -1 }])

    assert.equal(text, '{"latitude":-0,"longitude":0,"timestamp":"1969-12-31T23:59:59.999Z","speed_mps":-1}')
  })

  test('puts a comma before every point but the first', () => {
    const columns = columnsOf([1, 2, 3].map((latitude) => ({ timeMs: 0, latitude, longitude: 0 })))
    const first = pointText({ timeMs: 0, latitude: 1, longitude: 0 })
    const last = pointText({ timeMs: 0, latitude: 3, longitude: 0 })

    assert.equal(writePointsJson(columns, 0, 1, true).toString(), first)
    assert.equal(writePointsJson(columns, 2, 3, false).toString(), `,${last}`)
    assert.equal(writePointsJson(columns, 0, 3, true).toString().split('},{').length, 3)
    assert.equal(writePointsJson(columns, 1, 1, true).length, 0)
  })

  test('writes more points at once than its memory holds', () => {
    const latitude = -Number.MIN_VALUE * 3 ** 400
    const values = Array.from({ length: 9000 }, (_, index) => ({
      timeMs: index,
      latitude,
      longitude: -latitude,
      battery: index,
    }))

    assert.equal(write(values), values.map(pointText).join())
  })

  test('returns bytes that later writing does not change', () => {
    const first = writePointsJson(columnsOf([{ timeMs: 0, latitude: 1, longitude: 1 }]), 0, 1, true)
    write([{ timeMs: 0, latitude: 2, longitude: 2 }])

    assert.equal(first.toString(), pointText({ timeMs: 0, latitude: 1, longitude: 1 }))
  })

  test('writes every double as JSON does, and -0, so that reading returns the same bits', () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1 }), (values) => {
        const text = write(values)

        assert.equal(text, values.map(pointText).join())
        for (const [index, read] of JSON.parse(`[${text}]`).entries()) {
          assert.deepEqual([read.latitude, read.altitude], [values[index].latitude, values[index].altitude])
        }
      }),
      { numRuns: 500 },
    )
  })
})

const bytes = Buffer.alloc(64)
const output = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }

function written(value: number, hint = 7): string {
  return bytes.toString('latin1', 0, writeNumber(output, 0, value, hint))
}

/** The double after one, in the direction of larger bit patterns. */
function next(value: number): number {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  bits.setBigUint64(0, bits.getBigUint64(0) + 1n)
  return bits.getFloat64(0)
}

describe('writeNumber', () => {
  test('writes every double as String does', () => {
    const double = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -500, max: 500, noNaN: true }),
      fc.double({ min: 1e-7, max: 2, noNaN: true }),
      fc.double({ min: 1e3, max: 1e11, noNaN: true }),
      fc.float({ noNaN: true, noDefaultInfinity: true }),
    )
    fc.assert(
      fc.property(double, fc.nat(9), (value, hint) => {
        assert.equal(written(value, hint), Object.is(value, -0) ? '-0' : String(value))
      }),
      { numRuns: 5000 },
    )
  })

  test('writes decimals of any length as String does', () => {
    const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.nat(22))
    fc.assert(
      fc.property(decimal, fc.nat(9), ([digits, decimals], hint) => {
        const value = Number(`${digits}e-${decimals}`)

        assert.equal(written(value, hint), String(value))
      }),
      { numRuns: 5000 },
    )
  })

  test('writes powers of two and ten, and the doubles after them, as String does', () => {
    for (let exponent = -40; exponent <= 40; exponent++) {
      for (const value of [
        2 ** exponent,
        next(2 ** exponent),
        Number(`1e${exponent}`),
        next(Number(`1e${exponent}`)),
      ]) {
        assert.equal(written(value), String(value))
        assert.equal(written(-value, 2), String(-value))
      }
    }
  })

  test('writes -0 with its sign', () => {
    assert.equal(written(-0), '-0')
    assert.equal(written(0), '0')
  })
})
