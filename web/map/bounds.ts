import type { MapLibreMap } from 'maplibre-gl'
import { longitudeSpan } from './unwrap-longitudes.ts'

/** Moves a map so that all these positions are seen; does nothing without any. */
export function showAll(map: MapLibreMap, positions: Iterable<readonly [number, number]>, animate: boolean): void {
  const longitudes: number[] = []
  let [south, north] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [longitude, latitude] of positions) {
    longitudes.push(longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  const span = longitudeSpan(longitudes)
  if (span === undefined) return
  map.fitBounds([span.west, south, span.east, north], { padding: 48, maxZoom: 15, animate })
}

/** Positions of two columns. */
export function* positionsOf(longitude: readonly number[], latitude: readonly number[]) {
  for (let index = 0; index < longitude.length; index++) yield [longitude[index], latitude[index]] as const
}
