import type { Feature, FeatureCollection, MultiLineString } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import countriesUrl from 'world-atlas/countries-50m.json?url'

/** The land of the earth and the borders on it: Natural Earth 1:50m, which is in the public domain. */
export type World = { land: Feature | FeatureCollection; borders: Feature<MultiLineString> }

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
  return {
    land: feature(topology, land),
    borders: { type: 'Feature', properties: {}, geometry: mesh(topology, countries, (a, b) => a !== b) },
  }
}
