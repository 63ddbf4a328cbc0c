import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { climbUntil, type HillyRun, heightAt, hillyPlace, hillyRun } from '../../../test/support/hilly-course.ts'
import { elevationColours } from '../../../test/support/make-map-file.ts'
import { columnsOf } from '../../../test/support/track-columns.ts'
import { wanderingNoise } from '../../../test/support/wandering-noise.ts'
import { computeStatistics } from './statistics.ts'
import { type TrackTerrain, terrainHeights, tilesUnder } from './terrain-heights.ts'

const SECONDS = 2400
const WAY_METERS = 3 * (SECONDS - 1)
const START = hillyPlace(0)
/** Metres of the sea above the ellipsoid at the way (EGM96). */
const GEOID_METERS = 50.6

/** The heights of a way that goes straight north, wherever it is east of it. */
const wayMetersAt = (latitude: number) => (latitude - START.latitude) * 111_195

type Made = { metersAt?: (wayMeters: number) => number; errorMeters?: number; zoom?: number }

/** Returns the terrain under the hilly way. */
function terrainOf({ metersAt = heightAt, errorMeters = 1.5, zoom = 14 }: Made = {}): TrackTerrain {
  const points = columnsOf(hillyRun(SECONDS, { sigmaMeters: 0 }).map((point, sec) => ({ ...point, sec })))
  const tiles = tilesUnder(points, { minZoom: zoom, maxZoom: zoom }).map(({ x, y }) => ({
    x,
    y,
    tile: { widthPixels: 256, colours: elevationColours({ z: zoom, x, y }, (north) => metersAt(wayMetersAt(north))) },
  }))
  return { encoding: 'terrarium', errorMeters, zoom, tiles }
}

type Run = HillyRun & { metersAt?: (wayMeters: number) => number }

function statisticsOf({ metersAt = heightAt, ...run }: Run, terrain?: TrackTerrain) {
  const points = hillyRun(SECONDS, run).map((point, sec) => ({
    ...point,
    altitude: point.altitude - heightAt(3 * sec) + metersAt(3 * sec),
    sec,
  }))
  const settings = { activityType: 'run', maxAccuracyMeters: 50 } as const
  return computeStatistics(columnsOf(points), [], { ...settings, terrain: terrain && terrainHeights(terrain) })
}

/** Returns errors of a model of the terrain by metres of way, which stay alike over 100 m. */
function modelErrors(sigmaMeters: number, seed: number) {
  const errors = wanderingNoise(WAY_METERS / 10 + 200, sigmaMeters, { keep: Math.exp(-1 / 10), seed })
  return (wayMeters: number) => errors[Math.max(0, Math.round(wayMeters / 10) + 90)] ?? 0
}

const positionsOf = (places: readonly (readonly [latitude: number, longitude: number])[]) => ({
  count: places.length,
  latitude: Float64Array.from(places, ([latitude]) => latitude),
  longitude: Float64Array.from(places, ([, longitude]) => longitude),
})

describe('tiles under a track', () => {
  test('have no finer pixels than positions are exact, and those beside an edge come too', () => {
    const middle = tilesUnder(positionsOf([[46.5, 7.0093]]), { minZoom: 3, maxZoom: 20 })
    const coarse = tilesUnder(positionsOf([[46.5, 7.0093]]), { minZoom: 3, maxZoom: 9 })
    const edge = tilesUnder(positionsOf([[0, 0]]), { minZoom: 3, maxZoom: 9 })

    assert.deepEqual(new Set(middle.map(({ zoom }) => zoom)), new Set([14]))
    assert.deepEqual(
      coarse.map(({ zoom }) => zoom),
      [9],
    )
    assert.deepEqual(edge.map(({ x, y }) => `${x} ${y}`).sort(), ['255 255', '255 256', '256 255', '256 256'])
  })

  test('of a long track are of a lower level, and none if they are too many there', () => {
    const far = positionsOf(Array.from({ length: 2000 }, (_, i) => [40 + i / 200, 7 + i / 200] as const))

    const places = tilesUnder(far, { minZoom: 0, maxZoom: 14 })

    assert.ok(places.length > 20 && places.length <= 64, `${places.length}`)
    assert.ok(places[0].zoom < 11)
    assert.deepEqual(tilesUnder(far, { minZoom: 12, maxZoom: 14 }), [])
  })

  test('go on beyond the antimeridian, and end where the projection does', () => {
    const around = tilesUnder(positionsOf([[10.2, 180]]), { minZoom: 9, maxZoom: 9 })
    const pole = tilesUnder(positionsOf([[89, 10]]), { minZoom: 9, maxZoom: 9 })

    assert.deepEqual(around.map(({ x }) => x).sort(), [0, 511])
    assert.deepEqual(pole, [])
  })
})

describe('heights of the terrain', () => {
  test('are bilinear, within tiles and from one to the next', () => {
    const terrain = terrainOf()
    const heightOf = terrainHeights(terrain).along()
    assert.ok(terrain.tiles.length > 3)

    for (let meters = 0; meters < WAY_METERS; meters += 7) {
      const { latitude, longitude } = hillyPlace(meters)
      const found = heightOf(latitude, longitude)!.meters
      assert.ok(Math.abs(found - heightAt(meters)) < 0.1, `${found} m at ${meters} m of the way`)
    }
  })

  test('are unknown where a tile is missing, or has none of land', () => {
    const terrain = terrainOf()
    const abyss = terrainOf({ metersAt: () => -3000 })

    for (const lacking of [{ ...terrain, tiles: terrain.tiles.slice(0, 1) }, { ...terrain, tiles: [] }, abyss]) {
      const { latitude, longitude } = hillyPlace(WAY_METERS)
      assert.equal(terrainHeights(lacking).along()(latitude, longitude), undefined)
    }
  })
})

describe('climbs on known terrain', () => {
  test('of hills with altitudes of ± 4 m are within 5 %, with a model of ± 1 m', () => {
    const truth = climbUntil(WAY_METERS)
    const shares = [1, 2, 3, 4].map((seed) => {
      const errorAt = modelErrors(1, 30 + seed)
      const terrain = terrainOf({ metersAt: (meters) => heightAt(meters) + errorAt(meters), errorMeters: 1 })
      const alone = statisticsOf({ sigmaMeters: 4, seed })
      const known = statisticsOf({ sigmaMeters: 4, seed }, terrain)
      assert.deepEqual([alone.method.elevation, known.method.elevation], ['kalman', 'terrain'])
      const [low, high] = known.elevation_gain_interval_m!
      assert.ok(low <= truth && truth <= high)
      return [alone, known].map(({ elevation_gain_m }) => Math.abs(elevation_gain_m / truth - 1))
    })
    const [alone, known] = [0, 1].map((i) => shares.reduce((sum, pair) => sum + pair[i], 0) / shares.length)

    assert.ok(known < 0.05 && known < alone, `${known} instead of ${alone}`)
  })

  test('of a flat way with altitudes of ± 4 m are nearly none', () => {
    for (const seed of [1, 2, 3, 4]) {
      const flat = { sigmaMeters: 4, metersAt: () => 500, seed }
      const known = statisticsOf(flat, terrainOf({ metersAt: () => 500 }))

      assert.ok(known.elevation_gain_m < 15, `${known.elevation_gain_m} m`)
    }
  })

  test('are those of the phone alone where a model is hardly more exact, or less than hills are high', () => {
    const low = (meters: number) => heightAt(meters) / 30
    const rough = statisticsOf({ sigmaMeters: 4 }, terrainOf({ errorMeters: 4 }))
    const flat = statisticsOf({ sigmaMeters: 4, metersAt: low }, terrainOf({ metersAt: low, errorMeters: 2.5 }))

    assert.deepEqual([rough.method.elevation, flat.method.elevation], ['kalman', 'kalman'])
  })

  test('do not follow a valley under a bridge, or a mountain over a tunnel', () => {
    for (const apartMeters of [-60, 200]) {
      const terrain = terrainOf({
        metersAt: (meters) => heightAt(meters) + (meters > 3000 && meters < 3600 ? apartMeters : 0),
      })

      const { method, elevation_gain_m } = statisticsOf({ sigmaMeters: 3 }, terrain)

      assert.equal(method.elevation, 'terrain')
      assert.ok(Math.abs(elevation_gain_m / climbUntil(WAY_METERS) - 1) < 0.06, `${elevation_gain_m} m`)
    }
  })

  test('are those of the phone alone where the terrain does not fit, as under trees', () => {
    const trees = modelErrors(12, 5)
    const wrongs = {
      trees: terrainOf({ metersAt: (meters) => heightAt(meters) + Math.abs(trees(meters)) * 2 }),
      elsewhere: terrainOf({ metersAt: (meters) => heightAt(meters + 400) }),
      incomplete: { ...terrainOf(), tiles: terrainOf().tiles.slice(0, 1) },
      unreadable: { ...terrainOf(), tiles: [] },
    }
    const alone = statisticsOf({ sigmaMeters: 3 })
    for (const [name, terrain] of Object.entries(wrongs)) {
      const { method, elevation_gain_m } = statisticsOf({ sigmaMeters: 3 }, terrain)
      assert.deepEqual([method.elevation, elevation_gain_m], ['kalman', alone.elevation_gain_m], name)
    }
  })

  test('tell whether altitudes are above the ellipsoid or the sea', () => {
    const ellipsoid = statisticsOf({ sigmaMeters: 3, aboveMeters: GEOID_METERS + 6 }, terrainOf())
    const sea = statisticsOf({ sigmaMeters: 3, aboveMeters: -6 }, terrainOf())

    assert.deepEqual(
      [ellipsoid.method.altitude_reference, ellipsoid.method.altitude_reference_source],
      ['ellipsoid', 'terrain'],
    )
    assert.deepEqual([sea.method.altitude_reference, sea.method.altitude_reference_source], ['sea_level', 'terrain'])
    assert.ok(Math.abs(ellipsoid.max_altitude_m! - sea.max_altitude_m!) < 10)
  })
})
