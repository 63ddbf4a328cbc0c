import type { Feature, FeatureCollection, LineString, MultiLineString, Point } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { ownerOf } from './list-tracks.ts'
import { headOf, type LiveTrack, type LiveTracks, type Position } from './live-tracks.ts'

/** The layers whose features are current positions. Each feature carries the track's `id` and `label`. */
export const POSITIONS = 'live-positions'
export const SELECTED_POSITION = 'live-selected-position'
const LINES = 'live-lines'
const SELECTED = 'live-selected'
const NAMES = 'live-names'
/** With many tracks, names are shown from this zoom on. */
const MIN_NAMES_ZOOM = 14

const STATE_COLOURS = ['match', ['get', 'state'], 'running', '#0ca678', 'paused', '#f59f00', '#868e96'] as never
const SELECTED_COLOUR = '#1971c2'
const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }
const ROUND = { 'line-cap': 'round', 'line-join': 'round' } as const

/** Adds the empty layers of a live map: all tracks, and above them the selected one. */
export function addLiveLayers(map: MapLibreMap, dark: boolean): void {
  const halo = dark ? '#1a1b1e' : '#ffffff'
  const ink = dark ? '#ffffff' : '#1a1b1e'
  for (const source of [LINES, POSITIONS, SELECTED]) map.addSource(source, { type: 'geojson', data: NOTHING })
  map.addLayer({
    id: LINES,
    type: 'line',
    source: LINES,
    layout: ROUND,
    paint: { 'line-color': STATE_COLOURS, 'line-width': 2.5, 'line-opacity': 0.75 },
  })
  const isLine = ['==', ['geometry-type'], 'LineString'] as never
  const selectedLine = { type: 'line', source: SELECTED, layout: ROUND, filter: isLine } as const
  map.addLayer({ ...selectedLine, id: 'live-selected-halo', paint: { 'line-color': halo, 'line-width': 8 } })
  map.addLayer({ ...selectedLine, id: 'live-selected-line', paint: { 'line-color': SELECTED_COLOUR, 'line-width': 4 } })
  const head = { 'circle-color': STATE_COLOURS, 'circle-stroke-color': halo }
  map.addLayer({
    id: POSITIONS,
    type: 'circle',
    source: POSITIONS,
    paint: { ...head, 'circle-radius': 6, 'circle-stroke-width': 2 },
  })
  map.addLayer({
    id: NAMES,
    type: 'symbol',
    source: POSITIONS,
    layout: {
      'text-field': ['get', 'title'],
      'text-size': 12,
      'text-radial-offset': 0.8,
      'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
      'text-max-width': 12,
    },
    paint: { 'text-color': ink, 'text-halo-color': halo, 'text-halo-width': 1.5 },
  })
  map.addLayer({
    id: SELECTED_POSITION,
    type: 'circle',
    source: SELECTED,
    filter: ['==', ['geometry-type'], 'Point'],
    paint: { ...head, 'circle-radius': 10, 'circle-stroke-width': 3, 'circle-stroke-color': SELECTED_COLOUR },
  })
}

/**
 * Adapts the look of the tracks to their number. Lines that would cover each other are thin and pale, as are all lines
 * next to a selected one. Names appear only when zoomed in, because placing thousands of them takes too long.
 */
export function adaptLook(map: MapLibreMap, { isMany, hasSelected }: { isMany: boolean; hasSelected: boolean }): void {
  map.setPaintProperty(LINES, 'line-width', isMany ? 1 : 2.5)
  map.setPaintProperty(LINES, 'line-opacity', isMany || hasSelected ? 0.3 : 0.75)
  map.setPaintProperty(POSITIONS, 'circle-radius', isMany ? 4 : 6)
  map.setPaintProperty(POSITIONS, 'circle-stroke-width', isMany ? 1 : 2)
  map.setLayerZoomRange(NAMES, isMany ? MIN_NAMES_ZOOM : 0, 24)
}

/** Removes all tracks from a map. */
export function clearTracks(map: MapLibreMap): void {
  for (const source of [LINES, POSITIONS]) void map.getSource<GeoJSONSource>(source)?.setData(NOTHING)
}

/** Redraws these tracks and removes those that no longer exist. Resolves when the map has processed the update. */
export async function drawTracks(
  map: MapLibreMap,
  { byId }: LiveTracks<SharedTrack>,
  ids: Iterable<string>,
): Promise<void> {
  const lines: Feature<MultiLineString>[] = []
  const heads: Feature<Point>[] = []
  const gone: string[] = []
  for (const id of ids) {
    const entry = byId.get(id)
    const head = entry && headOf(entry)
    if (entry === undefined || head === undefined) {
      gone.push(id)
      continue
    }
    const properties = propertiesOf(id, entry)
    lines.push({ type: 'Feature', id, properties, geometry: { type: 'MultiLineString', coordinates: entry.parts } })
    heads.push({ type: 'Feature', id, properties, geometry: { type: 'Point', coordinates: head } })
  }
  await Promise.all([
    map.getSource<GeoJSONSource>(LINES)?.updateData({ add: lines, remove: gone }),
    map.getSource<GeoJSONSource>(POSITIONS)?.updateData({ add: heads, remove: gone }),
  ])
}

/** Draws the selected track above the others, its earlier line included. Clears the layer for undefined. */
export function drawSelected(
  map: MapLibreMap,
  id: string | undefined,
  entry: LiveTrack | undefined,
  earlierLine: readonly Position[][],
): void {
  const features: Feature[] = []
  const head = entry && headOf(entry)
  if (id !== undefined && entry !== undefined && head !== undefined) {
    const properties = propertiesOf(id, entry)
    for (const coordinates of [...earlierLine, ...entry.parts]) {
      if (coordinates.length < 2) continue
      const geometry: LineString = { type: 'LineString', coordinates: [...coordinates] }
      features.push({ type: 'Feature', properties, geometry })
    }
    features.push({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: head } })
  }
  map.getSource<GeoJSONSource>(SELECTED)?.setData({ type: 'FeatureCollection', features })
}

function propertiesOf(id: string, { track }: LiveTrack) {
  const owner = track && ownerOf(track)
  return {
    id,
    title: track?.title ?? '',
    label: track === undefined ? '' : [track.title, ...(owner === undefined ? [] : [owner])].join(' · '),
    state: track?.state ?? 'stopped',
  }
}
