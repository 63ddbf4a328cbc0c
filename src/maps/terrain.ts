import type { Terrain, TerrainFile } from '#platform/basics/terrain.ts'
import type { ChosenElevations, ChosenMap } from './chosen-map.ts'
import { type ElevationTiles, USUAL_ENCODING } from './elevation-tiles.ts'

/** Creates the terrain of the file with elevations that operators have chosen. */
export function createTerrain(chosenMap: ChosenMap, tiles: ElevationTiles): Terrain {
  return {
    async chosen() {
      const elevations = await chosenMap.elevations()
      return elevations && terrainFile(elevations)
    },
    tiles: ({ contentKey }, places) => Promise.all(places.map((place) => tiles.find(contentKey, place))),
  }
}

/** Width of an image where a file does not say. */
const USUAL_WIDTH_PIXELS = 256
const EQUATOR_METERS = 40_075_017
/**
 * Standard deviations of models of the whole earth, with a pixel of 30 m, and of models from laser scans of a country.
 * Forests and steep slopes are worse, open land is better.
 */
const WORLD_ERROR_METERS = 3
const FINE_ERROR_METERS = 1.5
const FINE_PIXEL_METERS = 15

function terrainFile({ file: { contentKey, facts }, errorMeters }: ChosenElevations): TerrainFile {
  const { max_zoom, min_zoom, tile_size, elevation_encoding } = facts!
  const pixelMeters = EQUATOR_METERS / 2 ** max_zoom / (tile_size ?? USUAL_WIDTH_PIXELS)
  return {
    contentKey,
    encoding: elevation_encoding ?? USUAL_ENCODING,
    minZoom: min_zoom,
    maxZoom: max_zoom,
    errorMeters: errorMeters ?? (pixelMeters < FINE_PIXEL_METERS ? FINE_ERROR_METERS : WORLD_ERROR_METERS),
  }
}
