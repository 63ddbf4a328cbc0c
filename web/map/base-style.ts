import type { Feature, FeatureCollection, Geometry, MultiLineString } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import countriesUrl from 'world-atlas/countries-50m.json?url'
import { unwrapRing } from './coordinates.ts'

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

/** Returns a map with nothing on it yet, in the colour of land. */
export function groundStyle(dark: boolean): StyleSpecification {
  const ground = { 'background-color': (dark ? DARK : LIGHT).land }
  return { version: 8, sources: {}, layers: [{ id: 'water', type: 'background', paint: ground }] }
}

/** Land and borders: Natural Earth 1:50m, which is in the public domain. */
export type World = { land: FeatureCollection; borders: Feature<MultiLineString> }

type Countries = Topology<{ countries: GeometryCollection; land: GeometryCollection }>

let loading: Promise<World> | undefined

/**
 * Loads the outlines once for all maps of the page. Rejects if the server does not respond, and can be called again.
 */
export function loadWorld(): Promise<World> {
  loading ??= fetchWorld().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function fetchWorld(): Promise<World> {
  const response = await fetch(countriesUrl)
  if (!response.ok) throw new Error(`The outlines of the countries cannot be loaded: ${response.status}`)
  const topology = (await response.json()) as Countries
  const { countries, land } = topology.objects
  const { features } = feature(topology, land)
  return {
    land: {
      type: 'FeatureCollection',
      features: features.map((area) => ({ ...area, geometry: inOnePiece(area.geometry) })),
    },
    borders: { type: 'Feature', properties: {}, geometry: mesh(topology, countries, (a, b) => a !== b) },
  }
}

/** Returns an area whose outlines do not jump across the antimeridian. */
function inOnePiece(area: Geometry): Geometry {
  if (area.type === 'Polygon') return { ...area, coordinates: area.coordinates.map(unwrapRing) }
  if (area.type !== 'MultiPolygon') return area
  return { ...area, coordinates: area.coordinates.map((polygon) => polygon.map(unwrapRing)) }
}
