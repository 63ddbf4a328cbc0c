import type { Feature, FeatureCollection, Geometry, MultiLineString } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import countriesUrl from 'world-atlas/countries-50m.json?url'
import { unwrapRing } from './unwrap-longitudes.ts'

/** The land of the earth and the borders on it: Natural Earth 1:50m, which is in the public domain. */
export type World = { land: FeatureCollection; borders: Feature<MultiLineString> }

type Countries = Topology<{ countries: GeometryCollection; land: GeometryCollection }>

let loading: Promise<World> | undefined

/** Loads the outlines once for all maps of the page. Rejects where the server does not answer, and may be asked again. */
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

/** An area whose outlines do not jump from one edge of the world to the other. */
function inOnePiece(area: Geometry): Geometry {
  if (area.type === 'Polygon') return { ...area, coordinates: area.coordinates.map(unwrapRing) }
  if (area.type !== 'MultiPolygon') return area
  return { ...area, coordinates: area.coordinates.map((polygon) => polygon.map(unwrapRing)) }
}
