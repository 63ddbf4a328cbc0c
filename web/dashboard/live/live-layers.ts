import type { Feature, FeatureCollection, LineString, MultiLineString, Point } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { ownerOf } from './list-tracks.ts'
import { headOf, type LiveTrack, type LiveTracks, type Position } from './live-tracks.ts'

/** The layers whose features are where tracks are; each carries the track's `id` and `title`. */
export const HEADS = 'live-heads'
export const CHOSEN_HEAD = 'live-chosen-head'
const LINES = 'live-lines'
const CHOSEN = 'live-chosen'
const NAMES = 'live-names'
/** Where tracks are many, their names are shown from this zoom on. */
const NAMES_ZOOM = 14

const STATE_COLOURS = ['match', ['get', 'state'], 'running', '#0ca678', 'paused', '#f59f00', '#868e96'] as never
const CHOSEN_LINE = '#1971c2'
const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }
const ROUND = { 'line-cap': 'round', 'line-join': 'round' } as const

/** Puts the empty layers of a live map on a map: all tracks, and above them the one that is chosen. */
export function addLiveLayers(map: MapLibreMap, dark: boolean): void {
  const halo = dark ? '#1a1b1e' : '#ffffff'
  const ink = dark ? '#ffffff' : '#1a1b1e'
  for (const source of [LINES, HEADS, CHOSEN]) map.addSource(source, { type: 'geojson', data: NOTHING })
  map.addLayer({
    id: LINES,
    type: 'line',
    source: LINES,
    layout: ROUND,
    paint: { 'line-color': STATE_COLOURS, 'line-width': 2.5, 'line-opacity': 0.75 },
  })
  const isLine = ['==', ['geometry-type'], 'LineString'] as never
  const chosenLine = { type: 'line', source: CHOSEN, layout: ROUND, filter: isLine } as const
  map.addLayer({ ...chosenLine, id: 'live-chosen-halo', paint: { 'line-color': halo, 'line-width': 8 } })
  map.addLayer({ ...chosenLine, id: 'live-chosen-line', paint: { 'line-color': CHOSEN_LINE, 'line-width': 4 } })
  const head = { 'circle-color': STATE_COLOURS, 'circle-stroke-color': halo }
  map.addLayer({
    id: HEADS,
    type: 'circle',
    source: HEADS,
    paint: { ...head, 'circle-radius': 6, 'circle-stroke-width': 2 },
  })
  map.addLayer({
    id: NAMES,
    type: 'symbol',
    source: HEADS,
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
    id: CHOSEN_HEAD,
    type: 'circle',
    source: CHOSEN,
    filter: ['==', ['geometry-type'], 'Point'],
    paint: { ...head, 'circle-radius': 10, 'circle-stroke-width': 3, 'circle-stroke-color': CHOSEN_LINE },
  })
}

/**
 * Fits the look of the tracks to how many they are: lines that would cover each other are thin and pale, as are all
 * beside a chosen one, and names stand only where one looks closely, as finding room for thousands takes too long.
 */
export function fitLook(map: MapLibreMap, { isMany, hasChosen }: { isMany: boolean; hasChosen: boolean }): void {
  map.setPaintProperty(LINES, 'line-width', isMany ? 1 : 2.5)
  map.setPaintProperty(LINES, 'line-opacity', isMany || hasChosen ? 0.3 : 0.75)
  map.setPaintProperty(HEADS, 'circle-radius', isMany ? 4 : 6)
  map.setPaintProperty(HEADS, 'circle-stroke-width', isMany ? 1 : 2)
  map.setLayerZoomRange(NAMES, isMany ? NAMES_ZOOM : 0, 24)
}

/** Takes all tracks off a map. */
export function clearTracks(map: MapLibreMap): void {
  for (const source of [LINES, HEADS]) void map.getSource<GeoJSONSource>(source)?.setData(NOTHING)
}

/** Draws these tracks anew, and takes off those that are no longer there. Resolves when the map has taken it in. */
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
    map.getSource<GeoJSONSource>(HEADS)?.updateData({ add: heads, remove: gone }),
  ])
}

/** Draws the chosen track above the others, with what is known of its way before the live line; nothing for undefined. */
export function drawChosen(
  map: MapLibreMap,
  id: string | undefined,
  entry: LiveTrack | undefined,
  way: readonly Position[][],
): void {
  const features: Feature[] = []
  const head = entry && headOf(entry)
  if (id !== undefined && entry !== undefined && head !== undefined) {
    const properties = propertiesOf(id, entry)
    for (const coordinates of [...way, ...entry.parts]) {
      if (coordinates.length < 2) continue
      const geometry: LineString = { type: 'LineString', coordinates: [...coordinates] }
      features.push({ type: 'Feature', properties, geometry })
    }
    features.push({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: head } })
  }
  map.getSource<GeoJSONSource>(CHOSEN)?.setData({ type: 'FeatureCollection', features })
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
