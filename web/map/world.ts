import type { Feature, FeatureCollection, Geometry, MultiLineString } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import countriesUrl from 'world-atlas/countries-50m.json?url'
import { unwrapRing } from './unwrap-longitudes.ts'

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
