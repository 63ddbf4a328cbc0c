import {
  addProtocol,
  type LayerSpecification,
  type MapLibreMap,
  type StyleSpecification,
  type SymbolLayerSpecification,
} from 'maplibre-gl'
import type { MapUnits, TileFile } from './shown-map.ts'
import { attributionOf, placeOf, tileSizeOf } from './tile-files.ts'

const HILLS = 'terrain-hills'
const LINES = 'terrain-lines'
const WORDS = 'terrain-words'
/** Contour lines are drawn from this zoom level on. */
const FIRST_ZOOM = 10
const LIGHT = { shadow: '#4a4238', highlight: '#ffffff', line: '#8a6d4b', halo: '#ffffff', ink: '#6b5236' }
const DARK = { shadow: '#000000', highlight: '#5b6670', line: '#a58d6f', halo: '#24292d', ink: '#cbb598' }

type TerrainLook = { dark: boolean; on: boolean; units: MapUnits }

/** Adds the terrain to a map whose style has just loaded. */
export type AddTerrain = (map: MapLibreMap, style: StyleSpecification, look: TerrainLook) => void

/**
 * Prepares the terrain of a file with elevations: hill shading under water, roads and names, contour lines under names.
 * Nothing of it is requested while it is hidden.
 */
export async function loadTerrain(file: TileFile): Promise<AddTerrain> {
  const tileSize = await tileSizeOf(file)
  const place = placeOf(file)
  return (map, { layers }, { dark, on, units }) => {
    const colours = dark ? DARK : LIGHT
    const visibility = on ? 'visible' : 'none'
    map.addSource(HILLS, {
      type: 'raster-dem',
      ...place,
      tileSize,
      encoding: file.elevation_encoding ?? 'terrarium',
      attribution: attributionOf(file),
    })
    const minzoom = Math.max(FIRST_ZOOM, place.minzoom)
    if (place.maxzoom >= minzoom)
      map.addSource(LINES, { ...place, type: 'vector', tiles: [contoursAddress(file, units)], minzoom })
    const hills: LayerSpecification = {
      id: HILLS,
      type: 'hillshade',
      source: HILLS,
      layout: { visibility },
      paint: {
        'hillshade-exaggeration': 0.35,
        'hillshade-shadow-color': colours.shadow,
        'hillshade-highlight-color': colours.highlight,
      },
    }
    map.addLayer(hills, firstId(layers, isWater) ?? firstId(layers, isName))
    if (map.getSource(LINES) === undefined) return
    const isIndex = ['==', ['get', 'is_index'], 1]
    const lines: LayerSpecification = {
      id: LINES,
      type: 'line',
      source: LINES,
      'source-layer': LINES,
      layout: { visibility },
      paint: {
        'line-color': colours.line,
        'line-width': ['case', isIndex as never, 1.2, 0.6],
        'line-opacity': ['case', isIndex as never, 0.65, 0.45],
      },
    }
    const words: LayerSpecification = {
      id: WORDS,
      type: 'symbol',
      source: LINES,
      'source-layer': LINES,
      filter: isIndex as never,
      layout: {
        visibility,
        'symbol-placement': 'line',
        'text-field': ['concat', ['to-string', ['get', 'height']], ` ${units.high}`],
        'text-size': 10,
        ...fontOf(layers),
      },
      paint: { 'text-color': colours.ink, 'text-halo-color': colours.halo, 'text-halo-width': 1.2 },
    }
    const names = firstId(layers, isName)
    map.addLayer(lines, names)
    map.addLayer(words, names)
  }
}

const files = new Map<string, TileFile>()

/** Returns the address of tiles that the page computes itself; the code for it is loaded with the first one. */
function contoursAddress(file: TileFile, { system }: MapUnits): string {
  files.set(file.url, file)
  return `contours://${system}/${file.url}/{z}/{x}/{y}`
}

addProtocol('contours', async ({ url }) => {
  const [, system, name, ...numbers] = /^contours:\/\/(metric|imperial)\/(.+)\/(\d+)\/(\d+)\/(\d+)$/.exec(url)!
  const [z, x, y] = numbers.map(Number)
  const { contourTile } = await import('./contours.ts')
  const contours = { layer: LINES, file: files.get(name)!, system: system as MapUnits['system'] }
  return { data: await contourTile(contours, { z, x, y }) }
})

/** Shows or hides the terrain of a map, if its style has any. */
export function showTerrain(map: MapLibreMap, on: boolean): void {
  for (const id of [HILLS, LINES, WORDS])
    if (map.getLayer(id)) map.setLayoutProperty(id, 'visibility', on ? 'visible' : 'none')
}

const isWater = (layer: LayerSpecification) => 'source-layer' in layer && /^water/.test(layer['source-layer'] ?? '')
const isName = (layer: LayerSpecification) => layer.type === 'symbol' && layer.layout?.['text-field'] !== undefined

function firstId(layers: readonly LayerSpecification[], is: (layer: LayerSpecification) => boolean) {
  return layers.find(is)?.id
}

/** Returns the fonts of the style's own names: a provider need not have others. */
function fontOf(layers: readonly LayerSpecification[]) {
  const named = layers.find((layer) => layer.type === 'symbol' && Array.isArray(layer.layout?.['text-font']))
  const font = (named as SymbolLayerSpecification | undefined)?.layout?.['text-font']
  return font === undefined ? {} : { 'text-font': font }
}
