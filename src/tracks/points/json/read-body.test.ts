import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#platform/basics/errors.ts'
import { readPoints, readSync, scanShort } from './read-body.ts'

const POINT = { latitude: 48.8566, longitude: 2.3522, timestamp: '2026-11-21T10:00:00.000Z' }

function readText(text: string, maxPoints: number) {
  const sent = { body: Buffer.from(text), maxPoints, handling: 'strict' as const }
  return readPoints(sent, scanShort(sent)).points
}

function read(points: unknown, maxPoints = 10) {
  return readText(JSON.stringify({ points }), maxPoints)
}

/** The answer's explanation and field errors for a body that is refused. */
function refusalOf(action: () => unknown) {
  try {
    action()
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'BAD_REQUEST', String(error))
    return { detail: error.message, errors: error.options.errors?.map(({ path, message }) => `${path} ${message}`) }
  }
  return assert.fail('the body was taken')
}

function errorsOf(point: unknown): string[] | undefined {
  return refusalOf(() => read([point])).errors
}

describe('readPoints', () => {
  test('returns the points as columns in the order of time', () => {
    const points = read([
      { ...POINT, latitude: -1, battery: 0, timestamp: '2026-11-21T10:00:01.000Z' },
      { ...POINT, altitude: 35.5, origin: 'background' },
    ])

    assert.deepEqual([...points.latitude], [48.8566, -1])
    assert.deepEqual([...points.altitude], [35.5, Number.NaN])
    assert.deepEqual([...points.battery], [Number.NaN, 0])
    assert.deepEqual([...points.origin], [2, 0])
  })

  test('accepts an empty array', () => {
    assert.equal(read([]).count, 0)
  })

  test('reads escaped keys and text like plain ones', () => {
    const body = '{"\\u0070oints":[{"l\\u0061titude":1,"longitude":2,"timestamp":"2026-11-21T10:00:00\\u005a"}]}'

    assert.deepEqual([...readText(body, 1).latitude], [1])
  })

  test('uses the last of equal keys', () => {
    const body =
      '{"points":[],"points":[{"latitude":"x","latitude":1,"longitude":2,"timestamp":"2026-11-21T10:00:00Z"}]}'

    assert.deepEqual([...readText(body, 1).latitude], [1])
  })

  test('treats null in an optional field as no field', () => {
    const nothing = { altitude: null, accuracy: null, speed_mps: null, heading: null, battery: null, origin: null }

    assert.deepEqual(read([{ ...POINT, ...nothing }]), read([POINT]))
  })

  test('keeps negative accuracy and speed, and -0, as sent', () => {
    const body = JSON.stringify({ points: [{ ...POINT, accuracy: -1, speed_mps: -1 }] }).replace('48.8566', '-0')
    const points = readText(body, 1)

    assert.deepEqual([points.accuracy[0], points.speedMps[0], points.latitude[0]], [-1, -1, -0])
  })

  test('accepts the bounds of each field and refuses values beyond them', () => {
    for (const [field, low, high] of [
      ['latitude', -90, 90],
      ['longitude', -180, 180],
      ['heading', 0, 360],
      ['battery', 0, 1],
    ] as const) {
      assert.equal(
        read([
          { ...POINT, [field]: low },
          { ...POINT, [field]: high },
        ]).count,
        2,
      )
      assert.deepEqual(errorsOf({ ...POINT, [field]: low - 0.001 }), [`points/0/${field} must be >= ${low}`])
      assert.deepEqual(errorsOf({ ...POINT, [field]: high + 0.001 }), [`points/0/${field} must be <= ${high}`])
    }
  })

  test('refuses a missing or null required field', () => {
    assert.deepEqual(errorsOf({}), [
      'points/0/latitude is required',
      'points/0/longitude is required',
      'points/0/timestamp is required',
    ])
    assert.deepEqual(errorsOf({ ...POINT, timestamp: null }), ['points/0/timestamp is required'])
  })

  test('refuses wrong types and never converts them', () => {
    assert.deepEqual(
      errorsOf({ ...POINT, latitude: '48.85', altitude: true, timestamp: 1_795_255_200_000, origin: 2 }),
      [
        'points/0/latitude must be number',
        'points/0/altitude must be number',
        'points/0/timestamp must be string',
        'points/0/origin must be one of foreground, background, native',
      ],
    )
    assert.deepEqual(errorsOf([1, 2]), ['points/0 must be an object'])
    assert.deepEqual(errorsOf(null), ['points/0 must be an object'])
  })

  test('refuses numbers that do not fit a double', () => {
    const body = JSON.stringify({ points: [{ ...POINT, altitude: 5 }] }).replace(':5', ':1e400')

    assert.deepEqual(refusalOf(() => readText(body, 1)).errors, ['points/0/altitude must be a finite number'])
  })

  test('refuses a timestamp that is not a date-time', () => {
    assert.deepEqual(errorsOf({ ...POINT, timestamp: '2026-02-30T10:00:00Z' }), [
      'points/0/timestamp must be an RFC 3339 date-time with date and time',
    ])
  })

  test('reports the index of an invalid point among valid ones', () => {
    const { detail, errors } = refusalOf(() => read([POINT, POINT, { ...POINT, latitude: 91, battery: 2 }]))

    assert.deepEqual(errors, ['points/2/latitude must be <= 90', 'points/2/battery must be <= 1'])
    assert.equal(detail, 'points/2/latitude must be <= 90 (and 1 more)')
  })

  test('lists the first errors and counts the rest', () => {
    const { detail, errors } = refusalOf(() => read(Array(10).fill({})))

    assert.equal(errors?.length, 20)
    assert.equal(detail, 'points/0/latitude is required (and 29 more)')
  })

  test('refuses a body without an array of points', () => {
    assert.deepEqual(refusalOf(() => read(undefined)).errors, ['points is required'])
    assert.deepEqual(refusalOf(() => read(null)).errors, ['points is required'])
    assert.deepEqual(refusalOf(() => read({ 0: POINT })).errors, ['points must be an array'])
  })

  test('refuses more points than allowed without checking them', () => {
    assert.deepEqual(refusalOf(() => read([POINT, {}, {}], 2)).errors, ['points must have at most 2 items'])
    assert.equal(read([POINT, POINT], 2).count, 2)
  })

  test('refuses a body that is not an object', () => {
    for (const text of ['[]', 'null', '"points"', '1']) {
      assert.deepEqual(
        refusalOf(() => readText(text, 1)),
        {
          detail: 'The body must be an object',
          errors: [' must be an object'],
        },
      )
    }
  })

  test('refuses a body that is not JSON', () => {
    const text = `{"points":[${JSON.stringify(POINT)},]}`

    assert.match(refusalOf(() => readText(text, 1)).detail, /not valid JSON: unexpected character/)
  })
})

function readSyncText(text: string) {
  const sent = { body: Buffer.from(text), maxPoints: 10, handling: 'strict' as const }
  return readSync(sent, scanShort(sent))
}

function readSyncOf(value: unknown) {
  return readSyncText(JSON.stringify(value))
}

describe('readSync', () => {
  test('returns track and stats as sent, with the points', () => {
    const body = readSyncOf({
      track: { device_track_id: 'a', title: 'é"\\' },
      points: [POINT, POINT],
      stats: { points_count: 2 },
    })

    assert.deepEqual(body.track, { device_track_id: 'a', title: 'é"\\' })
    assert.deepEqual(body.stats, { points_count: 2 })
    assert.deepEqual([body.points.count, body.errors, body.errorCount], [2, [], 0])
  })

  test('leaves the errors of track and stats to the caller', () => {
    const body = readSyncOf({ track: [1], points: [], stats: 'none' })

    assert.deepEqual([body.track, body.stats, body.errors], [[1], 'none', []])
  })

  test('returns undefined for absent fields', () => {
    const { track, stats, errors } = readSyncOf({})

    assert.deepEqual([track, stats, errors], [undefined, undefined, [{ path: 'points', message: 'is required' }]])
  })

  test('returns the errors of the points, and no points', () => {
    const body = readSyncOf({ track: { device_track_id: 'a' }, points: [POINT, { ...POINT, latitude: 91 }] })

    assert.deepEqual(body.track, { device_track_id: 'a' })
    assert.deepEqual(body.errors, [{ path: 'points/1/latitude', message: 'must be <= 90' }])
    assert.equal(body.points.count, 0)
  })

  test('lists the first errors of the points and counts all of them', () => {
    const body = readSyncOf({ points: Array(10).fill({}) })

    assert.deepEqual([body.errors.length, body.errorCount], [20, 30])
  })

  test('refuses a body that is not an object, or not JSON', () => {
    assert.throws(() => readSyncOf([]), { code: 'BAD_REQUEST', message: 'The body must be an object' })
    assert.throws(() => readSyncText('{"track":{},"points":['), { code: 'BAD_REQUEST' })
  })
})
