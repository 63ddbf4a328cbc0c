import type { MapLibreMap } from 'maplibre-gl'
import { longitudeSpan } from './unwrap-longitudes.ts'

type ShowOptions = {
  animate?: boolean
  /** Leaves room for names next to the outermost positions. */
  hasNames?: boolean
}

const MARGIN_PX = 48
/** Room for a short name, such as "Dossard 12". A narrow map keeps two thirds for the positions. */
const NAME_PX = 96

/** Moves a map so that all positions are visible. Does nothing without any. */
export function showAll(
  map: MapLibreMap,
  positions: Iterable<readonly [number, number]>,
  { animate = false, hasNames = false }: ShowOptions = {},
): void {
  const longitudes: number[] = []
  let [south, north] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [longitude, latitude] of positions) {
    longitudes.push(longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  const span = longitudeSpan(longitudes)
  if (span === undefined) return
  const sidePx = hasNames ? Math.max(MARGIN_PX, Math.min(NAME_PX, map.getContainer().clientWidth / 6)) : MARGIN_PX
  const padding = { top: MARGIN_PX, bottom: MARGIN_PX, left: sidePx, right: sidePx }
  map.fitBounds([span.west, south, span.east, north], { padding, maxZoom: 15, animate })
}

/** Yields the positions of two columns. */
export function* positionsOf(longitude: readonly number[], latitude: readonly number[]) {
  for (let index = 0; index < longitude.length; index++) yield [longitude[index], latitude[index]] as const
}
