import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { wrongPlaces } from '../support/problem.ts'

const EMOJI = '\u{1f3c3}'

/** Valid values, at the bounds of each field. */
const GOOD: [field: string, value: unknown][] = [
  ['title', 'x'.repeat(500)],
  ['title', EMOJI.repeat(500)],
  ['user_id', ''],
  ['user_id', 'u'.repeat(255)],
  ['user_id', EMOJI.repeat(255)],
  ['image_url', 'http://a.example'],
  ['image_url', `https://a.example/${'i'.repeat(2048 - 'https://a.example/'.length)}`],
  ['activity_type', 'run'],
  ['activity_type', 'walk'],
  ['activity_type', 'bike'],
  ['activity_type', 'hike'],
  ['altitude_reference', 'sea_level'],
  ['altitude_reference', 'ellipsoid'],
  ['start_ts', '2026-05-03T06:15:00Z'],
  ['start_ts', '2026-05-03T06:15:00'],
  ['start_ts', '2026-05-03t06:15:00.123456789z'],
  ['start_ts', '2024-02-29T23:59:60+14:00'],
]

/** Invalid values of each field. */
const BAD: [field: string, value: unknown][] = [
  ['device_track_id', ''],
  ['device_track_id', 'd'.repeat(101)],
  ['device_track_id', EMOJI.repeat(101)],
  ['device_track_id', null],
  ['device_track_id', 42],
  ['title', 'x'.repeat(501)],
  ['title', EMOJI.repeat(501)],
  ['title', 5],
  ['title', ['a']],
  ['user_id', 'u'.repeat(256)],
  ['user_id', 12],
  ['user_id', false],
  ['image_url', `https://a.example/${'i'.repeat(2049 - 'https://a.example/'.length)}`],
  ['image_url', ''],
  ['image_url', 'pictures/lac.jpg'],
  ['image_url', '//a.example/lac.jpg'],
  ['image_url', 'ftp://a.example/lac.jpg'],
  ['image_url', 'javascript:alert(1)'],
  ['image_url', 'data:image/png;base64,AAAA'],
  ['image_url', 'https://'],
  ['image_url', {}],
  ['activity_type', 'swim'],
  ['activity_type', 'Run'],
  ['activity_type', ''],
  ['activity_type', 1],
  ['altitude_reference', 'geoid'],
  ['altitude_reference', false],
  ['start_ts', '2026-05-03'],
  ['start_ts', '2026-02-30T06:15:00Z'],
  ['start_ts', '2025-02-29T06:15:00Z'],
  ['start_ts', '2026-05-03T24:00:00Z'],
  ['start_ts', '2026-05-03T06:15:00+24:00'],
  ['start_ts', '03/05/2026 06:15'],
  ['start_ts', ''],
  ['start_ts', 1_777_788_900_000],
]

describeTracks('Fields of a track', { on: oneDatabase }, async ({ service, tracks }) => {
  test('accepts values at their bounds in POST /tracks and POST /sync, and stores them as sent', async () => {
    for (const [field, value] of GOOD) {
      const created = await tracks.read(await tracks.create({ [field]: value }))
      const synced = await tracks.read(await tracks.sync({ track: { [field]: value } }))

      if (field === 'start_ts') continue
      assert.equal(created[field as 'title'], value)
      assert.equal(synced[field as 'title'], value)
    }
  })

  test('accepts a device_track_id of 1 and of 100 characters', async () => {
    for (const device_track_id of ['d', 'd'.repeat(100), EMOJI.repeat(100)]) {
      assert.equal((await tracks.read(await tracks.create({ device_track_id }))).device_track_id, device_track_id)
    }
  })

  test('answers 400 with the path of an invalid value in POST /tracks', async () => {
    for (const [field, value] of BAD) {
      const response = await service.request('POST', '/tracks', { device_track_id: randomUUID(), [field]: value })

      assert.deepEqual(await wrongPlaces(response), [field], JSON.stringify(value))
    }
  })

  test('answers 400 with the path of an invalid value in POST /sync', async () => {
    for (const [field, value] of BAD) {
      const track = { device_track_id: randomUUID(), [field]: value }

      const response = await service.request('POST', '/sync', { track, points: [] })

      assert.deepEqual(await wrongPlaces(response), [`track/${field}`], JSON.stringify(value))
    }
  })

  test('names all wrong fields of a request at once', async () => {
    const response = await service.request('POST', '/tracks', {
      title: 7,
      activity_type: 'fly',
      start_ts: 'soon',
      user_id: [],
      image_url: 'x',
    })

    assert.deepEqual(await wrongPlaces(response), [
      'activity_type',
      'device_track_id',
      'image_url',
      'start_ts',
      'title',
      'user_id',
    ])
  })

  test('stores start_ts to the millisecond and returns it in UTC', async () => {
    const starts = {
      '2026-05-03T06:15:00': '2026-05-03T06:15:00.000Z',
      '2026-05-03t08:15:00.9999+02:00': '2026-05-03T06:15:00.999Z',
      '2026-05-02T20:45:60-09:30': '2026-05-03T06:16:00.000Z',
      '1969-12-31T23:59:59.5Z': '1969-12-31T23:59:59.500Z',
    }

    for (const [start_ts, shown] of Object.entries(starts)) {
      assert.equal((await tracks.read(await tracks.create({ start_ts }))).start_ts, shown)
    }
  })
})
