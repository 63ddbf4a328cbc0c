import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Feature } from 'geojson'
import { type Bounds, makeMapFile, tilesWithin } from '../../test/support/make-map-file.ts'
import { type LayerFeature, layersOf, type MapFeature } from './map-layers.ts'

export const ATTRIBUTION =
  '<a href="https://www.openstreetmap.org/copyright" target="_blank">&copy; OpenStreetMap contributors</a>'

export type DrawnMap = { name: string; description: string; bounds: Bounds; minZoom: number; maxZoom: number }

/** Draws the features within a map's bounds as a PMTiles archive of vector tiles. */
export function drawMap(features: readonly MapFeature[], map: DrawnMap): Buffer {
  const { name, description, bounds, minZoom, maxZoom } = map
  const byLayer = Map.groupBy([landOf(bounds), ...features.flatMap(layersOf)], ({ layer }) => layer)
  const tiles = tilesWithin(bounds, minZoom, maxZoom).flatMap((tile) => {
    const layers = [...byLayer].flatMap(([layer, all]) => {
      const drawn = indexOf(all, tile.z, maxZoom).getTile(tile.z, tile.x, tile.y)
      return drawn === null || drawn.features.length === 0 ? [] : [[layer, drawn] as const]
    })
    const bytes = Buffer.from(fromGeojsonVt(Object.fromEntries(layers), { version: 2 }))
    return bytes.length === 0 ? [] : [{ ...tile, bytes }]
  })
  const metadata = {
    name,
    description,
    version: '4.0.0',
    attribution: ATTRIBUTION,
    vector_layers: [...byLayer.keys()].sort().map((id) => ({ id, fields: {} })),
  }
  return makeMapFile({ tiles, tileType: 1, bounds, metadata })
}

/** Returns the ground of the map, which is all land. */
function landOf([west, south, east, north]: Bounds): LayerFeature {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  const geometry = { type: 'Polygon' as const, coordinates: [corners] }
  return { layer: 'earth', feature: { type: 'Feature', properties: { kind: 'earth', min_zoom: 0 }, geometry } }
}

const indexes = new Map<string, GeoJSONVT>()

/** Slices a layer for one zoom level: each level has other features. */
function indexOf(all: readonly LayerFeature[], zoom: number, maxZoom: number): GeoJSONVT {
  const key = `${all[0].layer} ${zoom}`
  const known = indexes.get(key)
  if (known !== undefined) return known
  const features = all.map(({ feature }) => feature).filter((feature) => showsFrom(feature, maxZoom) <= zoom)
  const index = new GeoJSONVT({ type: 'FeatureCollection', features }, { maxZoom: zoom, indexMaxZoom: zoom })
  indexes.set(key, index)
  return index
}

/** The deepest level has everything, for the levels beyond it. */
function showsFrom({ properties }: Feature, maxZoom: number): number {
  return Math.min(maxZoom, properties!.min_zoom as number)
}
