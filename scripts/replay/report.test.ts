import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ActivityFile } from '../activity-file/activity-file.ts'
import { comparisonTable } from './comparison.ts'
import { type ProgressState, progressLine } from './progress.ts'
import { deliveryReport, type FinishedTrack, finalReport, introduction } from './report.ts'

const file: ActivityFile = {
  points: [
    { latitude: 45, longitude: 6, timestamp: '2026-05-03T06:00:00.000Z' },
    { latitude: 45.1, longitude: 6, timestamp: '2026-05-03T07:05:00.000Z' },
  ],
  activityType: 'run',
  totals: { distanceMeters: 10_000, elapsedSec: 3900, ascentMeters: 100, descentMeters: 0, maxSpeedMps: 5 },
  device: 'garmin 1967',
}

const track: FinishedTrack = {
  id: 'an-id',
  title: 'Around the lake',
  points_count: 2,
  stats: {
    distance_meters: 10_120.4,
    duration_sec: 3900,
    moving_time_sec: 3600,
    elevation_gain_m: 96.4,
    elevation_loss_m: 12.2,
    mean_speed_mps: 2.595,
    pace_sec_per_km: 385.4,
    max_speed_mps: 5.01,
  },
}

const state: ProgressState = {
  points: 3000,
  sentPoints: 1520,
  acknowledgedPoints: 1500,
  requests: 151,
  resends: 3,
  elapsedSec: 25,
}

describe('comparisonTable', () => {
  test('shows the statistics of server and file in everyday units, with their differences', () => {
    assert.deepEqual(comparisonTable(file, track).split('\n'), [
      '                           server          file              difference',
      'Points                          2             2                    same',
      'Distance                 10.12 km      10.00 km       +0.12 km (+1.2 %)',
      'Elapsed time              1:05:00       1:05:00                    same',
      'Moving time (timer)       1:00:00             –',
      'Pace                  6:25 min/km   6:30 min/km   −0:05 min/km (−1.2 %)',
      'Maximum speed           18.0 km/h     18.0 km/h                    same',
      'Climb                        96 m         100 m           −4 m (−3.6 %)',
      'Descent                      12 m           0 m                   +12 m',
    ])
  })

  test('shows the mean speed of a ride instead of its pace', () => {
    const table = comparisonTable({ ...file, activityType: 'bike' }, track)

    assert.match(table, /^Mean speed +9\.3 km\/h +9\.2 km\/h +\+0\.1 km\/h \(\+1\.2 %\)$/m)
    assert.doesNotMatch(table, /Pace/)
  })

  test('compares nothing for a file without totals', () => {
    const table = comparisonTable({ ...file, totals: {} }, track)

    assert.match(table, /^Distance +10\.12 km +–$/m)
    assert.match(table, /^Pace +6:25 min\/km +–$/m)
  })
})

describe('finalReport', () => {
  test('reports that the server has every point, and the address of the track', () => {
    const lines = finalReport(file, track, 'http://localhost:8080').split('\n')

    assert.deepEqual(lines.slice(-2), [
      'The server has all 2 points that it was sent, each once.',
      '“Around the lake” is at http://localhost:8080/tracks/an-id',
    ])
  })

  test('reports a different number of points on the server', () => {
    const report = finalReport(file, { ...track, points_count: 1999 }, 'http://localhost:8080')

    assert.match(report, /^WRONG: 2 points went to the server, and it has 1,999\.$/m)
  })

  test('reports totals that do not belong to the points of the file', () => {
    const totals = { ...file.totals, unlocatedMeters: 390 }

    const report = finalReport({ ...file, totals }, track, 'http://localhost:8080')

    assert.match(report, /^The file's own totals are not those of its points: 3\.9 % of the way without position\.$/m)
  })
})

describe('deliveryReport', () => {
  test('is one line if all went well', () => {
    const report = deliveryReport({ ...state, resends: 0 }, new Map(), [])

    assert.equal(report, 'Delivered 3,000 points in 151 requests within 25.0 s.')
  })

  test('counts faults by kind', () => {
    const request = { from: 0, to: 1, dueMs: 0, losses: [] }
    const plan = [
      { ...request, oddities: ['late' as const] },
      { ...request, oddities: ['twice' as const] },
      { ...request, oddities: ['overlapping' as const, 'late' as const] },
    ]

    const report = deliveryReport(
      state,
      new Map([
        ['answer lost', 2],
        ['answer 429', 1],
      ] as const),
      plan,
    )

    assert.deepEqual(report.split('\n').slice(1), [
      'Sent again: 3 (2 × answer lost, 1 × answer 429).',
      'Among them: 2 × late, 1 × twice, 1 × overlapping.',
    ])
  })
})

describe('progressLine', () => {
  test('shows progress, requests in flight and speed', () => {
    assert.equal(progressLine(state), '████████░░░░░░░░  50 %  1,520 sent, 1,500 acknowledged, 60/s  3 re-sent  0:25')
  })

  test('omits what does not fit', () => {
    assert.equal(progressLine(state, 74), '████████░░░░░░░░  50 %  1,520 sent, 1,500 acknowledged, 60/s  3 re-sent')
    assert.equal(progressLine(state, 40), '████████░░░░░░░░  50 %')
  })

  test('shows all done only when it is', () => {
    assert.match(progressLine({ ...state, acknowledgedPoints: 2999 }), /█░ {2}99 %/)
    assert.match(progressLine({ ...state, acknowledgedPoints: 3000 }), /█ 100 %/)
  })
})

describe('introduction', () => {
  const options = { path: 'some/run.fit', batchSec: 10, seed: 4, url: 'http://localhost:8080', token: 'trk_a' }
  const plan = [{ from: 0, to: 2, dueMs: 3_900_000, oddities: [], losses: [] }]

  test('describes the recording, the server and the duration', () => {
    assert.deepEqual(introduction(file, plan, { ...options, speed: 60, isLossy: false }).split('\n'), [
      'run.fit: run, 2 points, 1:05:00, garmin 1967',
      'To http://localhost:8080: 1 request of 10 s, 60 × as fast, about 1:05',
    ])
  })

  test('describes the bad connection, and playing without waits', () => {
    const text = introduction(file, plan, { ...options, speed: Number.POSITIVE_INFINITY, isLossy: true })

    assert.match(text, /1 request of 10 s, without waiting, over a bad connection \(seed 4\)$/)
    assert.doesNotMatch(text, /trk_a/)
  })
})
