import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { TracksImported } from '../../src/tracks/imports/schemas.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints, type WirePoint } from '../support/make-points.ts'
import { makeFit, makeGeojson, makeGpxRecording, makeKml, makeTcx } from '../support/make-recordings.ts'

type FileBytes = string | Uint8Array<ArrayBuffer>

const MADE: [format: string, make: () => FileBytes][] = [
  ['gpx', makeGpxRecording],
  ['tcx', makeTcx],
  ['fit', makeFit],
  ['kml', makeKml],
  ['geojson', makeGeojson],
]

/** Recordings of three devices. */
const RECORDINGS = ['2013-02-06-12-11-14.fit', '2015-10-13-08-43-15.fit', 'activity-small-fenix2-run.fit']

/**
 * Points with every field, with some, with none, at the same time, at the bounds, and on both sides of the
 * antimeridian.
 */
const POINTS: WirePoint[] = [
  { latitude: 1e-7, longitude: -1.2345e-7, timestamp: '2026-05-03T06:00:00.001Z', altitude: 1e21, speed_mps: 1e-9 },
  { latitude: 0, longitude: -0.1 - 0.2, timestamp: '2026-05-03T06:00:01.000Z', speed_mps: 2.5, heading: 359.9 },
  { latitude: 90, longitude: -180, timestamp: '2026-05-03T06:00:01.000Z', accuracy: -1, battery: 1, origin: 'native' },
  { latitude: -90, longitude: 179.9999999, timestamp: '2026-05-03T06:00:02.500Z', altitude: -12.5, battery: 0.87 },
  { latitude: -16, longitude: -179, timestamp: '2026-05-03T06:00:03.000Z', accuracy: 4.5, origin: 'background' },
]

describeTracks('An export that is imported again', { on: oneDatabase }, async ({ service, tracks }) => {
  /** A person of each import's own, so that one file can be imported again. */
  let person = 0

  async function imported(file: FileBytes): Promise<string> {
    const response = await fetch(`${service.url}/tracks/import?user_id=runner-${++person}`, {
      method: 'POST',
      headers: { 'X-API-Key': service.token, 'Content-Type': 'application/octet-stream' },
      body: file,
    })
    const text = await response.text()
    assert.equal(response.status, 201, text)
    return (JSON.parse(text) as TracksImported).tracks[0].track_id
  }

  async function exported(id: string, format: string): Promise<Uint8Array<ArrayBuffer>> {
    const response = await service.request('GET', `/tracks/${id}/export?format=${format}`)
    assert.equal(response.status, 200)
    return new Uint8Array(await response.arrayBuffer())
  }

  /** All fields of all points, also those that lists leave out. */
  const pointsOf = async (id: string) => new TextDecoder().decode(await exported(id, 'csv'))

  for (const [format, make] of MADE) {
    test(`has the same points if the file was ${format.toUpperCase()}`, async () => {
      const first = await imported(make())

      const again = await imported(await exported(first, format))

      assert.notEqual(again, first)
      assert.equal(await pointsOf(again), await pointsOf(first))
      assert.ok((await tracks.read(again)).points_count > 0)
    })
  }

  for (const name of RECORDINGS) {
    test(`has the same points and totals if the file is ${name}, in every format`, async () => {
      const first = await imported(new Uint8Array(await readFile(new URL(`../data/tracks/${name}`, import.meta.url))))
      const { stats, title, activity_type } = await tracks.read(first)

      for (const [format] of MADE) {
        const again = await imported(await exported(first, format))

        assert.equal(await pointsOf(again), await pointsOf(first), format)
        const read = await tracks.read(again)
        if (format === 'fit') {
          assert.equal(read.activity_type, activity_type)
          assert.ok(Math.abs(read.stats.distance_meters - stats.distance_meters) <= 0.005)
          assert.equal(read.stats.duration_sec, stats.duration_sec)
        } else {
          assert.equal(read.title, title)
        }
      }
    })
  }

  for (const format of ['gpx', 'tcx', 'kml', 'geojson']) {
    test(`has every number and every field as a phone sent it, as ${format.toUpperCase()}`, async () => {
      const first = await tracks.sync({ track: { title: 'Été & <hiver>', activity_type: 'hike' }, points: POINTS })

      const again = await imported(await exported(first, format))

      assert.equal(await pointsOf(again), await pointsOf(first))
      const { title, activity_type, points_count } = await tracks.read(again)
      assert.deepEqual([title, points_count], ['Été & <hiver>', POINTS.length])
      if (format !== 'tcx') assert.equal(activity_type, 'hike')
    })
  }

  test('writes 180 degrees as the same place and direction where GPX has no other', async () => {
    const first = await tracks.sync({ points: [{ ...makePoints(1)[0], longitude: 180, heading: 360 }] })

    const again = await imported(await exported(first, 'gpx'))

    const [{ longitude, heading }] = (await tracks.points(again)).points
    assert.deepEqual([longitude, heading], [-180, 0])
  })
})
