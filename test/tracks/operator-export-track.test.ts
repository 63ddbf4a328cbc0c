import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGpx } from '../../scripts/activity-file/read-gpx.ts'
import { walkXml } from '../../src/platform/basics/walk-xml.ts'
import { createEvent } from '../support/create-event.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints, type WirePoint } from '../support/make-points.ts'
import { readDeviceFile } from '../support/read-device-file.ts'

type Feature = {
  geometry: { type: string; coordinates: number[][] } | null
  properties: { title: string; coordinateProperties: Record<string, unknown[]> }
}

/** Numbers that are easily corrupted: without decimals, with many, and so small that JavaScript writes an exponent. */
const AWKWARD: WirePoint[] = [
  { latitude: 1e-7, longitude: -1.2345e-7, timestamp: '2026-05-03T06:00:00.001Z', altitude: 1e21 },
  { latitude: 0, longitude: -0.1 - 0.2, timestamp: '2026-05-03T06:00:01.000Z', speed_mps: 2.5, heading: 359.9 },
  { latitude: 90, longitude: -180, timestamp: '2026-05-03T06:00:02.000Z', accuracy: -1, battery: 1, origin: 'native' },
]

describeTracks('GET /operator/tracks/:id/export', { on: oneDatabase, signedIn: true }, async ({ service }) => {
  const { phone } = await createEvent(service, { name: 'Trail' })

  async function download(id: string, format: string): Promise<Response> {
    const response = await service.request('GET', `/operator/tracks/${id}/export?format=${format}`)
    assert.equal(response.status, 200)
    return response
  }

  test('exports a real recording to GPX with the same points', async () => {
    const file = await readDeviceFile('activity-small-fenix2-run.fit')
    const id = await phone.sync({ track: { activity_type: 'hike' }, points: file.points })

    const read = readGpx(await (await download(id, 'gpx')).bytes())

    const sent = file.points.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
    const fields = ['latitude', 'longitude', 'altitude', 'speed_mps', 'heading'] as const
    assert.equal(read.activityType, 'hike')
    assert.deepEqual(
      read.points.map((point) => [Date.parse(point.timestamp), ...fields.map((name) => point[name])]),
      sent.map((point) => [Date.parse(point.timestamp), ...fields.map((name) => point[name])]),
    )
  })

  test('writes every number to GPX exactly and in plain decimals', async () => {
    const gpx = await (await download(await phone.sync({ points: AWKWARD }), 'gpx')).text()

    assert.deepEqual(
      readGpx(Buffer.from(gpx)).points.map(({ latitude, longitude }) => [latitude, longitude]),
      AWKWARD.map(({ latitude, longitude }) => [latitude, longitude]),
    )
    for (const [, value] of gpx.matchAll(/(?:lat|lon)="([^"]*)"/g)) assert.match(value, /^-?\d+(\.\d+)?$/)
    assert.match(gpx, /<ele>1000000000000000000000<\/ele>/)
    assert.match(gpx, /<trackpress:origin>native</)
  })

  test('writes the elements of GPX 1.1 in their order, for any title', async () => {
    const title = `"Tom & <Jerry>"\u0001 \ud83d\ude00 ]]>`
    const gpx = await (await download(await phone.sync({ track: { title }, points: AWKWARD }), 'gpx')).text()

    const texts: string[] = []
    const children = new Set<string>()
    walkXml(Buffer.from(gpx), 'gpx', {
      close: ({ name, text }, parents) => {
        if (name === 'name') texts.push(text)
        if (parents.at(-1) === 'trkpt') children.add(name)
      },
    })
    assert.deepEqual(texts, Array(2).fill(title.replace('\u0001', '\ufffd')))
    assert.deepEqual([...children], ['ele', 'time', 'extensions'])
    assert.match(gpx, /<gpx version="1.1" creator="[^"]+" xmlns="http:\/\/www.topografix.com\/GPX\/1\/1"/)
  })

  test('begins a new segment after a pause', async () => {
    const id = await phone.create()
    const before = Date.now() - 60_000
    await phone.add(id, makePoints(3, before))
    await phone.update(id, { state: 'paused' })
    await phone.update(id, { state: 'running' })
    await phone.add(id, makePoints(2, Date.now() + 60_000))

    const gpx = await (await download(id, 'gpx')).text()

    const counts = gpx.split('<trkseg>').map((segment) => segment.split('<trkpt').length - 1)
    assert.deepEqual(counts, [0, 3, 2])
  })

  test('writes GeoJSON as a line, with the other fields as properties', async () => {
    const response = await download(await phone.sync({ track: { title: 'Line' }, points: AWKWARD }), 'geojson')

    const { geometry, properties } = (await response.json()) as Feature
    const { times, speed_mps, origin } = properties.coordinateProperties
    assert.equal(response.headers.get('content-type'), 'application/geo+json; charset=utf-8')
    assert.deepEqual(geometry, {
      type: 'LineString',
      coordinates: [
        [-1.2345e-7, 1e-7, 1e21],
        [-0.1 - 0.2, 0],
        [-180, 90],
      ],
    })
    assert.deepEqual(
      times,
      AWKWARD.map(({ timestamp }) => timestamp),
    )
    assert.deepEqual([properties.title, speed_mps, origin], ['Line', [null, 2.5, null], [null, null, 'native']])
  })

  test('writes GeoJSON of one point as a point, and of none without a geometry', async () => {
    const one = (await (await download(await phone.sync({ points: makePoints(1) }), 'geojson')).json()) as Feature
    const none = (await (await download(await phone.sync(), 'geojson')).json()) as Feature

    assert.deepEqual([one.geometry?.type, one.geometry?.coordinates], ['Point', [2.35, 48.85]])
    assert.equal(none.geometry, null)
  })

  test('writes CSV with a header and a line per point, with empty cells for absent fields', async () => {
    const csv = await (await download(await phone.sync({ points: AWKWARD }), 'csv')).text()

    assert.deepEqual(csv.split('\r\n'), [
      'timestamp,latitude,longitude,altitude,accuracy,speed_mps,heading,battery,origin',
      '2026-05-03T06:00:00.001Z,0.0000001,-0.00000012345,1000000000000000000000,,,,,',
      '2026-05-03T06:00:01.000Z,0,-0.30000000000000004,,,2.5,359.9,,',
      '2026-05-03T06:00:02.000Z,90,-180,,-1,,,1,native',
      '',
    ])
  })

  test('names the file after the track', async () => {
    const id = await phone.sync({ track: { title: 'Été/2026' } })

    const header = (await download(id, 'gpx')).headers.get('content-disposition')

    assert.match(header!, /^attachment; filename="[^"/]+\.gpx"; filename\*=UTF-8''%C3%89t%C3%A9_2026\.gpx$/)
  })

  test('exports a long track completely in every format', async () => {
    const id = await phone.sync({ points: makePoints(20_000) })

    const [gpx, geojson, csv] = await Promise.all(
      ['gpx', 'geojson', 'csv'].map(async (format) => await (await download(id, format)).text()),
    )

    assert.equal(readGpx(Buffer.from(gpx)).points.length, 20_000)
    assert.equal((JSON.parse(geojson) as Feature).geometry?.coordinates.length, 20_000)
    assert.equal(csv.split('\r\n').length, 20_002)
  })
})
