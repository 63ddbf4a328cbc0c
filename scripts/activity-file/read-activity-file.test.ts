import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { readActivityFile } from './read-activity-file.ts'

const recordings = fileURLToPath(new URL('../../test/data/tracks/', import.meta.url))

const GPX = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="OpenTracks" xmlns="http://www.topografix.com/GPX/1/1">
  <metadata><time>2026-05-03T06:00:00Z</time></metadata>
  <wpt lat="1" lon="1"><time>2026-05-03T06:00:00Z</time></wpt>
  <trk><name>a &amp; b</name><type>Hiking</type>
    <trkseg>
      <trkpt lat="45.5" lon="6.25"><ele>-12.5</ele><time>2026-05-03T08:15:00.5+02:00</time>
        <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>1.25</gpxtpx:speed><gpxtpx:course>90</gpxtpx:course>
        </gpxtpx:TrackPointExtension></extensions></trkpt>
      <trkpt lat="45.6" lon="6.26"><time>2026-05-03T06:16:00</time></trkpt>
      <trkpt lat="45.7" lon="6.27"><ele>3</ele></trkpt>
      <trkpt lat="180" lon="6.27"><time>2026-05-03T06:17:00Z</time></trkpt>
    </trkseg>
    <trkseg><trkpt lat="45.8" lon="6.28"><ele>n/a</ele><time>2026-05-03T06:18:00Z</time></trkpt></trkseg>
  </trk>
</gpx>`

const TCX = `<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>
  <Activity Sport="Biking"><Id>2026-05-03T06:00:00Z</Id>
    <Lap StartTime="2026-05-03T06:00:00Z"><TotalTimeSeconds>60.5</TotalTimeSeconds><DistanceMeters>400</DistanceMeters>
      <MaximumSpeed>9.5</MaximumSpeed><Track>
        <Trackpoint><Time>2026-05-03T06:00:00Z</Time><Position><LatitudeDegrees>45.5</LatitudeDegrees>
          <LongitudeDegrees>6.25</LongitudeDegrees></Position><AltitudeMeters>900</AltitudeMeters>
          <DistanceMeters>7</DistanceMeters><Extensions><ns3:TPX><ns3:Speed>6.5</ns3:Speed></ns3:TPX></Extensions></Trackpoint>
        <Trackpoint><Time>2026-05-03T06:00:01Z</Time></Trackpoint>
      </Track></Lap>
    <Lap><TotalTimeSeconds>30</TotalTimeSeconds><DistanceMeters>100</DistanceMeters><MaximumSpeed>8</MaximumSpeed></Lap>
    <Creator><Name>Edge 540</Name></Creator>
  </Activity></Activities></TrainingCenterDatabase>`

async function written(t: TestContext, name: string, content: string | Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'activity-file-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

describe('readActivityFile, GPX', () => {
  test('reads the points of all segments that have a position and a time', async (t) => {
    const file = await readActivityFile(await written(t, 'a.gpx', GPX))

    assert.deepEqual(file.points, [
      {
        latitude: 45.5,
        longitude: 6.25,
        timestamp: '2026-05-03T06:15:00.500Z',
        altitude: -12.5,
        speed_mps: 1.25,
        heading: 90,
      },
      { latitude: 45.6, longitude: 6.26, timestamp: '2026-05-03T06:16:00.000Z' },
      { latitude: 45.8, longitude: 6.28, timestamp: '2026-05-03T06:18:00.000Z' },
    ])
  })

  test('reads the activity type and the device', async (t) => {
    const { activityType, device, totals } = await readActivityFile(await written(t, 'a.gpx', GPX))

    assert.deepEqual({ activityType, device, totals }, { activityType: 'hike', device: 'OpenTracks', totals: {} })
  })

  test('recognises a file by its content, compressed, with a byte order mark and in UTF-16', async (t) => {
    const { points } = await readActivityFile(await written(t, 'a.gpx', GPX))
    const utf16 = Buffer.from(`\ufeff${GPX.replace('UTF-8', 'UTF-16')}`, 'utf16le')

    for (const content of [gzipSync(GPX), `\ufeff${GPX}`, utf16]) {
      assert.deepEqual((await readActivityFile(await written(t, 'without-extension', content))).points, points)
    }
  })

  test('names a file that is cut off', async (t) => {
    const path = await written(t, 'cut.gpx', GPX.slice(0, 700))

    await assert.rejects(readActivityFile(path), /cut\.gpx: is not well-formed XML: /)
  })
})

describe('readActivityFile, TCX', () => {
  test('reads points with a position, and the totals of all laps', async (t) => {
    const file = await readActivityFile(await written(t, 'a.tcx', TCX))

    assert.deepEqual(file, {
      points: [
        { latitude: 45.5, longitude: 6.25, timestamp: '2026-05-03T06:00:00.000Z', altitude: 900, speed_mps: 6.5 },
      ],
      activityType: 'bike',
      totals: { timerSec: 90.5, distanceMeters: 500, maxSpeedMps: 9.5 },
      device: 'Edge 540',
    })
  })
})

describe('readActivityFile, FIT', () => {
  test('reads points and totals of a run', async () => {
    const { points, activityType, totals, device } = await readActivityFile(`${recordings}2013-02-06-12-11-14.fit`)

    assert.equal(points.length, 583)
    assert.deepEqual(points[0], {
      latitude: 57.38461355678737,
      longitude: -4.429914616048336,
      timestamp: '2013-02-06T12:11:14.000Z',
      altitude: points[0].altitude,
      speed_mps: 0,
    })
    assert.ok(Math.abs(points[0].altitude! - 279.6) < 1e-9)
    assert.deepEqual({ activityType, device }, { activityType: 'run', device: 'garmin 1124' })
    assert.deepEqual(totals, {
      distanceMeters: 4835.38,
      elapsedSec: 2625.14,
      timerSec: 2625.14,
      ascentMeters: 168,
      descentMeters: 160,
      maxSpeedMps: 5.222,
      unlocatedMeters: 0,
    })
  })

  test('treats a maximum speed of 0 as not measured', async () => {
    const { totals } = await readActivityFile(`${recordings}activity-small-fenix2-run.fit`)

    assert.equal(totals.maxSpeedMps, undefined)
  })

  test('returns the part of the distance without positions', async () => {
    const { totals } = await readActivityFile(`${recordings}sample-activity.fit`)

    assert.equal(Math.round(totals.unlocatedMeters!), 3422)
  })

  test('reads the points before damaged bytes', async () => {
    const { points, totals } = await readActivityFile(`${recordings}strava-android-app-201.10-b1218918.fit`)

    assert.deepEqual([points.length, totals.distanceMeters], [237, 11274.04])
  })
})

describe('readActivityFile, anything else', () => {
  test('refuses a file of an unknown format', async (t) => {
    for (const content of ['', 'hello', '<html></html>', Buffer.alloc(200)]) {
      const path = await written(t, 'other.bin', content)

      await assert.rejects(readActivityFile(path), /other\.bin: neither a FIT, a GPX nor a TCX file/)
    }
  })

  test('refuses a file that only begins as FIT', async (t) => {
    const path = await written(t, 'begins.fit', Buffer.from('0e100000ffffffff2e464954', 'hex'))

    await assert.rejects(readActivityFile(path), /begins\.fit: not a readable FIT file/)
  })
})
