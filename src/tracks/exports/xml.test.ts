import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AWKWARD_POINTS, AWKWARD_TITLE } from '../../../test/support/awkward-points.ts'
import { readExport } from '../../../test/support/read-export.ts'
import { northward, TEST_START_MS } from '../../../test/support/track-columns.ts'
import { schemaErrors } from '../../../test/support/xml-schema.ts'
import { createPauseCuts, writeGpx, writeKml, writeTcx } from './xml.ts'

const FORMATS = [
  { name: 'GPX', write: writeGpx, schema: 'gpx.xsd', imported: [], segment: '<trkseg>', point: '<trkpt' },
  { name: 'TCX', write: writeTcx, schema: 'tcx.xsd', imported: [], segment: '<Track>', point: '<Trackpoint>' },
  { name: 'KML', write: writeKml, schema: 'kml.xsd', imported: ['kml-gx.xsd'], segment: '<gx:Track>', point: '<when>' },
]

for (const { name, write, schema, imported, segment, point } of FORMATS) {
  describe(`The ${name} of a track`, () => {
    test('is valid by the schema, for any numbers and any title', async () => {
      const pauses = [{ fromMs: TEST_START_MS + 500, toMs: TEST_START_MS + 900 }]
      const totals = { durationSec: 1, distanceMeters: 1e-9, maxSpeedMps: 2.5 }
      const xml = await readExport(write, AWKWARD_POINTS, { title: AWKWARD_TITLE, pauses, totals })

      assert.deepEqual(await schemaErrors(xml.toString(), schema, imported), [])
      assert.match(xml.toString(), /Jerry/)
    })

    test('would not be valid with an element out of order', async () => {
      const xml = (await readExport(write, AWKWARD_POINTS)).toString()
      const wrong = xml.replace(/(<(ele|Time|name)>[^<]*<\/\2>)\s*(<(time|Position|Schema)[\s\S]*?<\/\4>)/, '$3$1')

      assert.notEqual(wrong, xml)
      assert.notDeepEqual(await schemaErrors(wrong, schema, imported), [])
    })

    test('begins a new segment where the recording was paused', async () => {
      const points = northward(6, 10, (i) => i)
      const pauses = [{ fromMs: TEST_START_MS + 25_000, toMs: TEST_START_MS + 28_000 }]

      for (const pagePoints of [1, 2, 4, 1000]) {
        const xml = (await readExport(write, points, { pauses, pagePoints })).toString()

        const counts = xml.split(segment).map((part) => part.split(point).length - 1)
        assert.deepEqual(counts, [0, 3, 3])
      }
    })
  })
}

describe('The TCX of a track', () => {
  test('has the totals of the track, its sport and its title', async () => {
    const totals = { durationSec: 61.5, distanceMeters: 400.25, maxSpeedMps: 9.5 }
    const xml = (await readExport(writeTcx, AWKWARD_POINTS, { totals, activityType: 'bike', title: 'Lake' })).toString()

    assert.match(xml, /<Activity Sport="Biking">\n<Id>2026-05-03T06:15:00\.000Z</)
    assert.match(xml, /<TotalTimeSeconds>61\.5<.*<DistanceMeters>400\.25<.*<MaximumSpeed>9\.5</)
    assert.match(xml, /<Notes>Lake<\/Notes>/)
  })

  test('has the fields that TCX does not know in a namespace of their own', async () => {
    const xml = (await readExport(writeTcx, AWKWARD_POINTS)).toString()

    assert.match(xml, /<ns3:TPX><ns3:Speed>2\.5<\/ns3:Speed><\/ns3:TPX><trackpress:heading>360</)
    assert.match(xml, /<trackpress:accuracy>-1<.*<trackpress:battery>1<.*<trackpress:origin>native</)
  })
})

describe('The KML of a track', () => {
  test('has a value for each point in each array, and no array that would be empty', async () => {
    const points = [
      { sec: 0, accuracy: 4.5 },
      { sec: 1, latitude: 1, altitude: 12.5, heading: 90 },
    ]

    const xml = (await readExport(writeKml, points, { pagePoints: 1 })).toString()

    assert.deepEqual(
      [...xml.matchAll(/SimpleArrayField name="(\w+)"/g)].map(([, key]) => key),
      ['accuracy', 'heading'],
    )
    assert.deepEqual(
      [...xml.matchAll(/<gx:value\/>|<gx:value>(.*?)</g)].map(([, value]) => value),
      ['4.5', undefined, undefined, '90'],
    )
    assert.deepEqual(
      [...xml.matchAll(/<gx:coord>(.*?)</g)].map(([, place]) => place),
      ['0 0', '0 1 12.5'],
    )
  })

  test('is valid without points', async () => {
    const xml = (await readExport(writeKml, [])).toString()

    assert.deepEqual(await schemaErrors(xml, 'kml.xsd', ['kml-gx.xsd']), [])
  })
})

describe('createPauseCuts', () => {
  const cutsOf = (pauses: [number, number][], times: number[]) => {
    const isCut = createPauseCuts(pauses.map(([fromMs, toMs]) => ({ fromMs, toMs })))
    return times.filter((timeMs) => isCut(timeMs))
  }

  test('cuts once where a pause lies between two points', () => {
    assert.deepEqual(cutsOf([[15, 25]], [0, 10, 30, 40]), [30])
    assert.deepEqual(cutsOf([[10, 30]], [0, 10, 30, 40]), [30])
  })

  test('cuts at both ends of a pause with points in it, and between two pauses', () => {
    assert.deepEqual(cutsOf([[15, 45]], [0, 10, 20, 30, 40, 50]), [20, 50])
    assert.deepEqual(
      cutsOf(
        [
          [5, 15],
          [15, 25],
        ],
        [0, 10, 20, 30],
      ),
      [10, 20, 30],
    )
  })

  test('cuts at the start of a pause that lasts, and at none without length', () => {
    assert.deepEqual(cutsOf([[15, Number.POSITIVE_INFINITY]], [0, 10, 20, 30]), [20])
    assert.deepEqual(cutsOf([[15, 15]], [0, 10, 20, 30]), [])
  })

  test('does not cut before the first point', () => {
    assert.deepEqual(cutsOf([[-20, -10]], [0, 10]), [])
    assert.deepEqual(cutsOf([[-20, 5]], [0, 10]), [10])
  })
})
