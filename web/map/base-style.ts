import type { StyleSpecification } from 'maplibre-gl'
import type { World } from './world.ts'

const LIGHT = { water: '#dfe9ee', land: '#f7f6f2', coast: '#b9c7cd', border: '#d5d0c6' }
const DARK = { water: '#15212a', land: '#24292d', coast: '#3d4d57', border: '#42494e' }

/**
 * Returns a quiet map of the world from outlines alone: no tiles, fonts or images, and no requests to other servers.
 */
export function baseStyle(
  world: World,
  dark: boolean,
  colours: typeof LIGHT = dark ? DARK : LIGHT,
): StyleSpecification {
  return {
    version: 8,
    sources: {
      land: { type: 'geojson', data: world.land, attribution: 'Natural Earth', maxzoom: 8 },
      borders: { type: 'geojson', data: world.borders, maxzoom: 8 },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours.land } },
      { id: 'coast', type: 'line', source: 'land', paint: { 'line-color': colours.coast, 'line-width': 1 } },
      { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': colours.border, 'line-width': 1 } },
    ],
  }
}
