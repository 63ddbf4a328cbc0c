import type { MapLibreMap } from 'maplibre-gl'

/** Look of words on a map. `gap` is their distance from the point, in their own size. */
type Look = { sizePx: number; gap: number; ink: string; halo: string }

/** Adds the words of a source's points beside them, where there is room. */
export function addWords(map: MapLibreMap, source: string, { sizePx, gap, ink, halo }: Look): void {
  map.addLayer({
    id: `${source}-words`,
    type: 'symbol',
    source,
    layout: {
      'text-field': ['get', 'word'],
      'text-size': sizePx,
      'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
      'text-radial-offset': gap,
      'text-justify': 'auto',
    },
    paint: { 'text-color': ink, 'text-halo-color': halo, 'text-halo-width': 2 },
  })
}
