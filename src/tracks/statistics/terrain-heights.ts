import {
  type ElevationEncoding,
  elevationMeters,
  mercatorX,
  mercatorY,
  type TerrainTile,
  type TilePlace,
} from '#platform/basics/terrain.ts'
import type { KnownHeights } from './course-line.ts'

/** Tiles under the points of a track, at most: those of 300 km with pixels of 15 m. */
const MAX_TILES = 64
/** Tiles of this width have pixels of 2.5 to 5 m, and positions are no more exact. */
const LEAST_TILE_METERS = 1280
const EQUATOR_METERS = 40_075_017
/** Latitude at which the projection ends, in degrees. */
const MAX_LATITUDE = 85.05
/** Beside the edge of a tile, in its widths, elevations are also from the next one. Images have at least 256 pixels. */
const EDGE = 1 / 512

type Positions = { latitude: Float64Array; longitude: Float64Array }

/**
 * Returns the places of the tiles under positions, at the highest useful zoom level with few enough; none if there are
 * too many at all levels.
 */
export function tilesUnder(positions: Positions, zooms: { minZoom: number; maxZoom: number }): TilePlace[] {
  const metersAround = EQUATOR_METERS * Math.cos((positions.latitude[0] * Math.PI) / 180)
  const useful = Math.floor(Math.log2(Math.max(1, metersAround / LEAST_TILE_METERS)))
  for (let zoom = Math.min(zooms.maxZoom, Math.max(zooms.minZoom, useful)); zoom >= zooms.minZoom; zoom--) {
    const places = placesAt(zoom, positions)
    if (places !== undefined) return places
  }
  return []
}

/** Returns the tiles of a zoom level under positions; undefined if they are too many. */
function placesAt(zoom: number, { latitude, longitude }: Positions): TilePlace[] | undefined {
  const side = 2 ** zoom
  const found = new Map<number, TilePlace>()
  let [west, east, south, north] = [Number.NaN, Number.NaN, Number.NaN, Number.NaN]
  for (let i = 0; i < latitude.length; i++) {
    // Most positions are in the middle of the tile of the one before, so its sides in degrees save their projection.
    if (longitude[i] > west && longitude[i] < east && latitude[i] > south && latitude[i] < north) continue
    const x = mercatorX(longitude[i]) * side
    const y = Math.abs(latitude[i]) <= MAX_LATITUDE ? mercatorY(latitude[i]) * side : Number.NaN
    west = longitudeAt((Math.floor(x) + EDGE) / side)
    east = longitudeAt((Math.floor(x) + 1 - EDGE) / side)
    north = latitudeAt((Math.floor(y) + EDGE) / side)
    south = latitudeAt((Math.floor(y) + 1 - EDGE) / side)
    for (let corner = 0; corner < 4; corner++) {
      const column = Math.floor(x + (corner % 2 === 0 ? -EDGE : EDGE))
      const row = Math.floor(y + (corner < 2 ? -EDGE : EDGE))
      // Also false for NaN.
      if (!(row >= 0 && row < side)) continue
      const place = { zoom, x: (column + side) % side, y: row }
      const key = keyOf(place.x, place.y)
      if (found.has(key)) continue
      if (found.size === MAX_TILES) return undefined
      found.set(key, place)
    }
  }
  return [...found.values()]
}

const longitudeAt = (x: number) => (x - 0.5) * 360
/** Returns the latitude of a place in the Web Mercator projection, from 0 in the north to 1 in the south. */
export const latitudeAt = (y: number) => (Math.atan(Math.sinh((1 - 2 * y) * Math.PI)) * 180) / Math.PI

const keyOf = (column: number, row: number) => column * 16_777_216 + row

/** The terrain under a track, at one zoom level. */
export type TrackTerrain = {
  encoding: ElevationEncoding
  errorMeters: number
  zoom: number
  tiles: readonly { x: number; y: number; tile: TerrainTile }[]
}

/** No land is below the shore of the Dead Sea, or above Mount Everest; other values mark unknown places, and seas. */
const LOWEST_METERS = -450
const HIGHEST_METERS = 9000

/** Returns the heights of the terrain, bilinear between the middles of pixels; unknown where one of them is. */
export function terrainHeights({ encoding, errorMeters, zoom, tiles }: TrackTerrain): KnownHeights {
  const widthPixels = tiles.length === 0 ? 0 : tiles[0].tile.widthPixels
  const byPlace = new Map(
    tiles.filter(({ tile }) => tile.widthPixels === widthPixels).map(({ x, y, tile }) => [keyOf(x, y), tile]),
  )
  const side = 2 ** zoom
  let tile: TerrainTile | undefined
  let [left, top] = [Number.NaN, Number.NaN]
  const enterTile = (column: number, row: number) => {
    const x = Math.floor(column / widthPixels)
    const y = Math.floor(row / widthPixels)
    left = x * widthPixels
    top = y * widthPixels
    tile = byPlace.get(keyOf((x + side) % side, y))
  }
  const metersAt = (column: number, row: number) => {
    // Most pixels are in the tile of the one before. Also true for NaN.
    if (!(column >= left && column < left + widthPixels && row >= top && row < top + widthPixels))
      enterTile(column, row)
    if (tile === undefined) return Number.NaN
    const meters = elevationMeters(tile, (row - top) * widthPixels + column - left, encoding)
    return meters >= LOWEST_METERS && meters <= HIGHEST_METERS ? meters : Number.NaN
  }
  const heightAt = (latitude: number, longitude: number) => {
    const x = mercatorX(longitude) * side * widthPixels - 0.5
    const y = mercatorY(latitude) * side * widthPixels - 0.5
    const column = Math.floor(x)
    const row = Math.floor(y)
    const east = x - column
    const south = y - row
    const above = metersAt(column, row) * (1 - east) + metersAt(column + 1, row) * east
    const below = metersAt(column, row + 1) * (1 - east) + metersAt(column + 1, row + 1) * east
    const meters = above * (1 - south) + below * south
    return Number.isNaN(meters) ? undefined : { meters, share: 1 }
  }
  return { source: 'terrain', errorMeters, along: () => heightAt }
}
