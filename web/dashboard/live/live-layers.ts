import type { Feature, FeatureCollection, MultiLineString, Point } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import type { SharedTrack } from '../../../src/tracks/operator-schemas.ts'
import { headOf, type LiveTracks } from './live-tracks.ts'

/** The layer whose features are where the tracks are; each carries the track's `id` and `title`. */
export const HEADS = 'live-heads'
const LINES = 'live-lines'

const STATE_COLOURS = ['match', ['get', 'state'], 'running', '#0ca678', 'paused', '#f59f00', '#868e96']
const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }

/** Puts the empty layers of a live map on a map. */
export function addLiveLayers(map: MapLibreMap, dark: boolean): void {
  map.addSource(LINES, { type: 'geojson', data: NOTHING })
  map.addSource(HEADS, { type: 'geojson', data: NOTHING })
  map.addLayer({
    id: LINES,
    type: 'line',
    source: LINES,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': STATE_COLOURS as never,
      'line-width': ['case', ['get', 'selected'], 5, 2.5],
      'line-opacity': ['case', ['get', 'selected'], 1, 0.75],
    },
  })
  map.addLayer({
    id: HEADS,
    type: 'circle',
    source: HEADS,
    paint: {
      'circle-color': STATE_COLOURS as never,
      'circle-radius': ['case', ['get', 'selected'], 9, 6],
      'circle-stroke-width': 2,
      'circle-stroke-color': dark ? '#1a1b1e' : '#ffffff',
    },
  })
}

/** Shows the tracks as they are now. */
export function drawLive(map: MapLibreMap, live: LiveTracks<SharedTrack>, selectedId: string | undefined): void {
  const lines: Feature<MultiLineString>[] = []
  const heads: Feature<Point>[] = []
  for (const [id, entry] of live) {
    const properties = {
      id,
      title: entry.track?.title ?? '',
      state: entry.track?.state ?? 'stopped',
      selected: id === selectedId,
    }
    lines.push({ type: 'Feature', properties, geometry: { type: 'MultiLineString', coordinates: entry.parts } })
    const head = headOf(entry)
    if (head !== undefined) heads.push({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: head } })
  }
  setFeatures(map, LINES, lines)
  setFeatures(map, HEADS, heads)
}

function setFeatures(map: MapLibreMap, source: string, features: Feature[]): void {
  map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features })
}
