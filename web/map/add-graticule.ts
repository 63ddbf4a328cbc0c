import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import { graticule } from './graticule.ts'

const NET = 'graticule'

/**
 * Draws the graticule on a map and keeps it up to date. The labels use the browser's fonts, because the style names no
 * glyph server.
 * @returns a function that stops the updates; the layers are removed with the style
 */
export function addGraticule(map: MapLibreMap, dark: boolean): () => void {
  map.addSource(NET, { type: 'geojson', data: net(map) })
  map.addLayer({
    id: NET,
    type: 'line',
    source: NET,
    filter: ['==', ['geometry-type'], 'LineString'],
    paint: { 'line-color': dark ? '#3a4247' : '#e4dfd3', 'line-width': 1 },
  })
  map.addLayer({
    id: `${NET}-words`,
    type: 'symbol',
    source: NET,
    filter: ['==', ['geometry-type'], 'Point'],
    layout: { 'text-field': ['get', 'word'], 'text-size': 10, 'text-anchor': 'top-left', 'text-offset': [0.3, 0.3] },
    paint: {
      'text-color': dark ? '#909aa0' : '#6c6a62',
      'text-halo-color': dark ? '#24292d' : '#f7f6f2',
      'text-halo-width': 1,
    },
  })
  const draw = () => void map.getSource<GeoJSONSource>(NET)?.setData(net(map))
  map.on('moveend', draw)
  map.on('resize', draw)
  return () => {
    map.off('moveend', draw)
    map.off('resize', draw)
  }
}

function net(map: MapLibreMap) {
  const bounds = map.getBounds()
  const seen = { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
  return graticule(seen)
}
