import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readExport } from '../../../test/support/read-export.ts'
import { writeGeojson } from './geojson.ts'

type Place = [longitude: number, latitude: number, altitude?: number]

async function exported(places: Place[]) {
  const points = places.map(([longitude, latitude, altitude], sec) => ({ sec, longitude, latitude, altitude }))
  // A page each, so that what leads from one to the next is seen, too.
  const text = await readExport(writeGeojson, points, { pagePoints: 1 })
  const feature = JSON.parse(text.toString())
  return { geometry: feature.geometry, lists: feature.properties.coordinateProperties }
}

describe('writeGeojson', () => {
  test('cuts a line at the antimeridian, eastwards and back', async () => {
    const { geometry, lists } = await exported([
      [179, -16, 100],
      [-179, -18, 300],
      [-179.5, -18],
      [179.5, -17],
    ])

    assert.deepEqual(geometry, {
      type: 'MultiLineString',
      coordinates: [
        [
          [179, -16, 100],
          [180, -17, 200],
        ],
        [
          [-180, -17, 200],
          [-179, -18, 300],
          [-179.5, -18],
          [-180, -17.5],
        ],
        [
          [180, -17.5],
          [179.5, -17],
        ],
      ],
    })
    assert.deepEqual(
      lists.times.map((part: (string | null)[]) => part.map((time) => time?.slice(17, 19) ?? null)),
      [
        ['00', null],
        [null, '01', '02', null],
        [null, '03'],
      ],
    )
  })

  test('does not cut a line on the antimeridian, or one across Greenwich', async () => {
    assert.equal(
      (
        await exported([
          [180, 1],
          [180, 2],
        ])
      ).geometry.type,
      'LineString',
    )
    assert.equal(
      (
        await exported([
          [-1, 1],
          [1, 2],
        ])
      ).geometry.type,
      'LineString',
    )
  })

  test('writes a point for one position, and no geometry for none', async () => {
    assert.deepEqual((await exported([[6, 46]])).geometry, { type: 'Point', coordinates: [6, 46] })
    assert.equal((await exported([])).geometry, null)
  })
})
