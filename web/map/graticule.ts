import type { Feature, FeatureCollection, LineString, Point } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'

/** The visible part of a map in degrees; east may exceed 180. */
export type Seen = { west: number; south: number; east: number; north: number }

/** Each line is a `LineString`, and its label a `Point` at the edge of the visible part. */
type Graticule = FeatureCollection<LineString | Point, { word?: string }>

/** Degrees between two lines, in decimal fractions as positions are written today. */
const STEPS = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]
/** Least number of lines along the longer side of the map. */
const LINES = 4
/** The end of the map's projection. */
const MAX_LATITUDE = 85

/** Returns the parallels and meridians of the visible part, labelled in degrees, so that empty land can be located. */
export function graticule({ west, south, east, north }: Seen): Graticule {
  const longest = Math.max(east - west, north - south)
  const step = STEPS.find((degrees) => longest / degrees >= LINES) ?? STEPS[STEPS.length - 1]
  const [bottom, top] = [Math.max(-MAX_LATITUDE, south), Math.min(MAX_LATITUDE, north)]
  const meridians = multiples(west, east, step).flatMap((degrees) => {
    const shown = degrees - 360 * Math.round(degrees / 360)
    return lineWithWord(
      [
        [degrees, bottom],
        [degrees, top],
      ],
      degreesWord(shown, step),
      [degrees, top],
    )
  })
  const parallels = multiples(bottom, top, step).flatMap((degrees) =>
    lineWithWord(
      [
        [west, degrees],
        [east, degrees],
      ],
      degreesWord(degrees, step),
      [west, degrees],
    ),
  )
  return { type: 'FeatureCollection', features: [...meridians, ...parallels] }
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step)
  const count = Math.max(0, Math.floor(to / step) - first + 1)
  return Array.from({ length: count }, (_, index) => (first + index) * step)
}

function lineWithWord(line: [number, number][], word: string, at: [number, number]): Graticule['features'] {
  const words: Feature<Point, { word: string }> = {
    type: 'Feature',
    properties: { word },
    geometry: { type: 'Point', coordinates: at },
  }
  return [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: line } }, words]
}

/** Signed, because the letters for east and west differ between languages. */
function degreesWord(degrees: number, step: number): string {
  const text = degrees.toFixed(Math.max(0, Math.ceil(-Math.log10(step))))
  return `${Number(text) === 0 ? '0' : text}°`
}

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
