import { LngLatBounds, type MapLibreMap } from 'maplibre-gl'

/** Moves a map so that all these positions are seen; does nothing without any. */
export function showAll(map: MapLibreMap, positions: Iterable<readonly [number, number]>, animate: boolean): void {
  const bounds = new LngLatBounds()
  for (const [longitude, latitude] of positions) bounds.extend([longitude, latitude])
  if (bounds.isEmpty()) return
  map.fitBounds(bounds, { padding: 48, maxZoom: 15, animate })
}

/** Positions of two columns. */
export function* positionsOf(longitude: readonly number[], latitude: readonly number[]) {
  for (let index = 0; index < longitude.length; index++) yield [longitude[index], latitude[index]] as const
}
