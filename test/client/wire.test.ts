import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cleanPoint, pointErrors } from '../../clients/typescript/src/queue/clean-point.ts'
import type { PointInput } from '../../clients/typescript/src/queue/wire.ts'
import { checkPoint } from '../../src/tracks/points/check-point.ts'
import { emptyColumns } from '../../src/tracks/points/point-columns.ts'

const number = fc.oneof(
  fc.double(),
  fc.constantFrom(-1, 0, 1, 90, -90, 90.1, 180, -180.1, 360, 360.5, 0.5, 1.01, Number.NaN, Number.POSITIVE_INFINITY),
)
const optional = fc.oneof(number, fc.constantFrom(undefined, null, 'x', true))
const digits = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))
const dateTime = fc
  .tuple(
    fc.constantFrom('2026', '2024', '1969', '0000', '9999'),
    digits(13),
    digits(32),
    fc.constantFrom('T', 't', ' ', ''),
    digits(24),
    digits(60),
    digits(61),
    fc.constantFrom('', '.5', '.123456', '.', ',5'),
    fc.constantFrom('', 'Z', 'z', '+02:00', '-23:59', '+0200', '+25:00'),
  )
  .map(([y, m, d, t, h, min, s, f, z]) => `${y}-${m}-${d}${t}${h}:${min}:${s}${f}${z}`)
const point = fc.record(
  {
    latitude: optional,
    longitude: optional,
    timestamp: fc.oneof(
      { weight: 3, arbitrary: dateTime },
      fc.date({ noInvalidDate: false }),
      fc.integer({ min: -9e15, max: 9e15 }),
      fc.constantFrom(undefined, null, '', 'now', Number.NaN, '2026-05-03'),
    ),
    altitude: optional,
    accuracy: optional,
    speed_mps: optional,
    heading: optional,
    battery: optional,
    origin: fc.constantFrom(undefined, null, 'native', 'gps'),
  },
  { requiredKeys: ['latitude', 'longitude', 'timestamp'] },
)

describe('The check of points before they are queued', () => {
  test('refuses the fields that the server would refuse, and no others', () => {
    fc.assert(
      fc.property(point, (given) => {
        const cleaned = cleanPoint(given as unknown as PointInput)
        const refused: string[] = []
        checkPoint(JSON.parse(JSON.stringify(cleaned)), 0, emptyColumns(1), (_, field) => refused.push(field), 'strict')

        const own = pointErrors(cleaned).map(({ path }) => path)

        assert.deepEqual(own.sort(), refused.sort(), JSON.stringify([given, cleaned]))
      }),
      { numRuns: 5000 },
    )
  })

  test('gives points that the server takes for equal the same text', () => {
    const texts = [
      { latitude: 45, longitude: 6, timestamp: '2026-05-03T08:15:00.1239+02:00', heading: -1 },
      { longitude: 6, latitude: 45, timestamp: '2026-05-03T06:15:00.123', altitude: null },
      { latitude: 45, longitude: 6, timestamp: Date.UTC(2026, 4, 3, 6, 15, 0, 123), note: 'x' },
      { latitude: 45, longitude: 6, timestamp: new Date(Date.UTC(2026, 4, 3, 6, 15, 0, 123)), battery: Number.NaN },
    ].map((one) => JSON.stringify(cleanPoint(one)))

    assert.deepEqual(new Set(texts).size, 1)
  })
})
