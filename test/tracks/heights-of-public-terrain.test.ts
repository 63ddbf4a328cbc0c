import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { createElevationTiles } from '../../src/maps/elevation-tiles.ts'
import { readMapFileHeader } from '../../src/maps/pmtiles.ts'
import { computeStatistics } from '../../src/tracks/statistics/statistics.ts'
import { terrainHeights, tilesUnder } from '../../src/tracks/statistics/terrain-heights.ts'
import { columnsOf } from '../support/track-columns.ts'
import { wanderingNoise } from '../support/wandering-noise.ts'

const FOLDER = `${import.meta.dirname}/../data/terrain`
const ERROR_METERS = 1
const WALK_SEC = 2400
const SETTINGS = { activityType: 'run', maxAccuracyMeters: 50 } as const

/** Places of the source with its heights, in whole metres. */
const places = readFileSync(`${FOLDER}/jacksboro.csv`, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [latitude, longitude, meters] = line.split(',').map(Number)
    return { latitude, longitude, meters }
  })

/** Returns the heights of the file under positions, read as the server reads them. */
async function heightsUnder(positions: readonly { latitude: number; longitude: number }[]) {
  const file = readFileSync(`${FOLDER}/jacksboro.pmtiles`)
  const source = {
    sizeBytes: file.length,
    read: async (range?: { start: number; end: number }) =>
      Readable.from([file.subarray(range!.start, range!.end + 1)]),
  }
  const tiles = createElevationTiles({ open: async () => source })
  const columns = {
    latitude: Float64Array.from(positions, ({ latitude }) => latitude),
    longitude: Float64Array.from(positions, ({ longitude }) => longitude),
  }
  const { minZoom, maxZoom } = readMapFileHeader(file)
  const found = tilesUnder(columns, { minZoom, maxZoom }).map(async (place) => ({
    ...place,
    tile: (await tiles.find('jacksboro', place))!,
  }))
  return terrainHeights({
    encoding: 'terrarium',
    errorMeters: ERROR_METERS,
    zoom: maxZoom,
    tiles: await Promise.all(found),
  })
}

describe('a file of public terrain', () => {
  test('has the heights of its source, within rounding and the distance of pixels', async () => {
    const heightAt = (await heightsUnder(places)).along()

    const apart = places.map(({ latitude, longitude, meters }) => heightAt(latitude, longitude)!.meters - meters)

    const sizes = apart.map(Math.abs).sort((a, b) => a - b)
    const mean = apart.reduce((sum, meters) => sum + meters, 0) / apart.length
    assert.ok(Math.abs(mean) < 0.2, `${mean} m on average`)
    assert.ok(sizes[sizes.length >> 1] < 0.6 && sizes[sizes.length - 1] < 2.5, `${sizes[sizes.length - 1]} m at most`)
  })

  test('brings climbs over its mountain closer to the truth', async () => {
    const way = Array.from({ length: WALK_SEC }, (_, sec) => ({
      sec,
      latitude: 36.497 + (0.045 * sec) / WALK_SEC,
      longitude: -84.275 + (0.06 * sec) / WALK_SEC,
    }))
    const terrain = await heightsUnder(way)
    const heightAt = terrain.along()
    const heights = way.map(({ latitude, longitude }) => heightAt(latitude, longitude)!.meters)
    const truth = heights.reduce((sum, meters, i) => sum + Math.max(0, i === 0 ? 0 : meters - heights[i - 1]), 0)

    const sources = new Set<string>()
    const errors = [1, 2, 3, 4].map((seed) => {
      const noise = wanderingNoise(WALK_SEC, 4, { keep: Math.exp(-1 / 30), seed })
      const points = columnsOf(way.map((place, i) => ({ ...place, altitude: heights[i] + noise[i] })))
      return [undefined, terrain].map((known) => {
        const { method, elevation_gain_m } = computeStatistics(points, [], { ...SETTINGS, terrain: known })
        sources.add(method.elevation)
        return Math.abs(elevation_gain_m / truth - 1)
      })
    })

    const [alone, known] = [0, 1].map((i) => errors.reduce((sum, pair) => sum + pair[i], 0) / errors.length)
    assert.ok(sources.has('terrain'))
    assert.ok(known < 0.03 && known < alone, `${known} instead of ${alone} of ${truth} m`)
  })
})
