import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import FitParser from 'fit-file-parser'
import { AWKWARD_POINTS } from '../../../test/support/awkward-points.ts'
import { readExport } from '../../../test/support/read-export.ts'
import { northward, TEST_START_MS, type TestPoint } from '../../../test/support/track-columns.ts'
import { fitCrc, writeFit } from './fit.ts'

type Options = Parameters<typeof readExport>[2]

/** Reads a file with a library that has its own profile, and refuses it if a checksum or a length is wrong. */
async function parsed(points: readonly TestPoint[], options?: Options) {
  const bytes = await readExport(writeFit, points, options)
  const parser = new FitParser({ mode: 'list', force: false, speedUnit: 'm/s', lengthUnit: 'm' })
  return { bytes, ...(await parser.parseAsync(Buffer.from(bytes))) }
}

const timeOf = (sec: number) => new Date(TEST_START_MS + sec * 1000).toISOString()

describe('writeFit', () => {
  test('writes an activity that another library reads', async () => {
    const points = [
      { sec: 0, latitude: 45.923712, longitude: 6.869433, altitude: 1035.2, speedMps: 1.4, accuracy: 5 },
      { sec: 1, latitude: -33.5, longitude: -70.25, altitude: -12.4 },
    ]

    const { records = [], file_ids: ids = [] } = await parsed(points)

    const near = (actual: number | undefined, expected: number) => assert.ok(Math.abs(actual! - expected) < 1e-7)
    assert.deepEqual(
      ids.map(({ type, manufacturer, serial_number }) => [type, manufacturer, serial_number]),
      [['activity', 'development', 0x0b51a2de]],
    )
    assert.equal(records.length, 2)
    records.forEach((record, i) => {
      near(record.position_lat, points[i].latitude)
      near(record.position_long, points[i].longitude)
      near(record.enhanced_altitude, points[i].altitude)
      assert.equal(new Date(record.timestamp!).toISOString(), timeOf(i))
    })
    assert.deepEqual(
      records.map(({ enhanced_speed, gps_accuracy }) => [enhanced_speed, gps_accuracy]),
      [
        [1.4, 5],
        [undefined, undefined],
      ],
    )
  })

  test('writes the totals of the track as session and lap', async () => {
    const totals = {
      distanceMeters: 4835.38,
      durationSec: 2625,
      pausedSec: 25.5,
      ascentMeters: 168.4,
      descentMeters: 160,
      meanSpeedMps: 1.842,
      maxSpeedMps: 70.25,
    }

    const {
      sessions = [],
      laps = [],
      activity,
    } = await parsed(
      northward(3, 1, (i) => i),
      { totals, activityType: 'hike' },
    )

    for (const one of [sessions[0], laps[0]]) {
      assert.equal(one.sport, 'hiking')
      assert.equal(new Date(one.start_time!).toISOString(), timeOf(0))
      assert.equal(new Date(one.timestamp!).toISOString(), timeOf(2))
      assert.deepEqual(
        [one.total_elapsed_time, one.total_timer_time, one.total_distance, one.total_ascent, one.total_descent],
        [2625, 2599.5, 4835.38, 168, 160],
      )
      assert.deepEqual([one.enhanced_avg_speed, one.enhanced_max_speed], [1.842, 70.25])
    }
    assert.deepEqual([sessions.length, laps.length, activity?.num_sessions], [1, 1, 1])
  })

  test('stops the timer for each pause that reaches into the recording', async () => {
    const seconds: [number, number][] = [
      [-20, -10],
      [2.5, 4],
      [6, 6],
      [7, Number.POSITIVE_INFINITY],
      [50, 60],
    ]
    const pauses = seconds.map(([from, to]) => ({
      fromMs: TEST_START_MS + from * 1000,
      toMs: TEST_START_MS + to * 1000,
    }))

    for (const pagePoints of [1, 4, 100]) {
      const { events = [], records = [] } = await parsed(
        northward(10, 1, (i) => i),
        { pauses, pagePoints },
      )

      const seen = events.map(({ event, event_type, timestamp }) => [
        event,
        event_type,
        new Date(timestamp!).toISOString(),
      ])
      assert.deepEqual(seen, [
        ['timer', 'start', timeOf(0)],
        ['timer', 'stop_all', timeOf(3)],
        ['timer', 'start', timeOf(4)],
        ['timer', 'stop_all', timeOf(7)],
        ['timer', 'stop_all', timeOf(9)],
      ])
      assert.equal(records.length, 10)
    }
  })

  test('leaves out what a FIT file cannot hold, and takes the antimeridian from one side', async () => {
    const { records = [] } = await parsed(AWKWARD_POINTS)

    assert.deepEqual(
      records.map(({ enhanced_altitude, enhanced_speed, gps_accuracy }) => [
        enhanced_altitude,
        enhanced_speed,
        gps_accuracy,
      ]),
      [
        [undefined, 0, undefined],
        [undefined, 2.5, undefined],
        [undefined, undefined, undefined],
        [records[3].enhanced_altitude, undefined, undefined],
      ],
    )
    assert.deepEqual([records[2].position_long, records[3].position_long], [-180, -180])
  })

  test('has the length that its header states, also if points arrive while it is written', async () => {
    const pauses = [{ fromMs: TEST_START_MS + 2500, toMs: TEST_START_MS + 8500 }]
    const lastPointMs = TEST_START_MS + 4000

    const { bytes, records = [] } = await parsed(
      northward(10, 1, (i) => i),
      { pointCount: 5, lastPointMs, pauses, pagePoints: 3 },
    )

    assert.equal(bytes.length, bytes.readUInt32LE(4) + 14 + 2)
    assert.equal(fitCrc(bytes), 0, 'the checksum at the end makes that of the whole file zero')
    assert.equal(records.length, 5)
  })

  test('keeps every position, altitude and speed that came from a FIT file', async () => {
    const raw = fc.record({
      latitude: fc.integer({ min: -(2 ** 30), max: 2 ** 30 }),
      longitude: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 2 }),
      altitude: fc.integer({ min: 0, max: 2 ** 20 }),
      speed: fc.integer({ min: 0, max: 2 ** 20 }),
    })
    const property = fc.asyncProperty(fc.array(raw, { minLength: 1, maxLength: 50 }), async (points) => {
      const degrees = 180 / 2 ** 31
      const sent = points.map((one, sec) => ({
        sec,
        latitude: one.latitude * degrees,
        longitude: one.longitude * degrees,
        altitude: one.altitude / 5 - 500,
        speedMps: one.speed / 1000,
      }))

      const { records = [] } = await parsed(sent)

      assert.deepEqual(
        records.map((one) => [one.position_lat, one.position_long, one.enhanced_altitude, one.enhanced_speed]),
        sent.map((one) => [one.latitude, one.longitude, one.altitude, one.speedMps]),
      )
    })
    await fc.assert(property, { numRuns: 50 })
  })
})

describe('fitCrc', () => {
  test('is CRC-16/ARC, whose check value is published', () => {
    assert.equal(fitCrc(Buffer.from('123456789')), 0xbb3d)
  })

  test('goes on from the bytes before', () => {
    assert.equal(fitCrc(Buffer.from('6789'), fitCrc(Buffer.from('12345'))), 0xbb3d)
  })
})
