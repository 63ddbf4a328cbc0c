import type { Feature, FeatureCollection, LineString, MultiLineString, Point } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { ownerOf, stageOf, type TrackFilter } from './list-tracks.ts'
import { headOf, type LiveTrack, type LiveTracks, type Position } from './live-tracks.ts'
import { labelOf } from './runners.ts'

/** The layers whose features are current positions. Each feature carries the track's `id` and `label`. */
export const POSITIONS = 'live-positions'
export const SELECTED_POSITION = 'live-selected-position'
const LINES = 'live-lines'
const SELECTED = 'live-selected'
const NAMES = 'live-names'
/** With many tracks, names are shown from this zoom on. */
const MIN_NAMES_ZOOM = 14
/** Opacity of what a search has not found. */
const DIM_OPACITY = 0.12

/** Returns the colour of a track on the map. */
export type ColourOfTrack = (entry: LiveTrack) => string

// Expressions of MapLibre have types that TypeScript gives up on.
const COLOUR = ['get', 'colour'] as never
const IS_SILENT = ['==', ['get', 'status'], 'silent'] as const
const IS_DIM = ['boolean', ['feature-state', 'dim'], false] as const
const dimmed = (opacity: number) => ['case', IS_DIM, DIM_OPACITY * opacity, opacity] as never
const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }
const ROUND = { 'line-cap': 'round', 'line-join': 'round' } as const

/** Adds the empty layers of a live map: all tracks, and above them the selected one. */
export function addLiveLayers(map: MapLibreMap, dark: boolean): void {
  const halo = dark ? '#1a1b1e' : '#ffffff'
  const ink = dark ? '#ffffff' : '#1a1b1e'
  // The id of a track is a text, which feature states need to be told.
  for (const source of [LINES, POSITIONS]) map.addSource(source, { type: 'geojson', data: NOTHING, promoteId: 'id' })
  map.addSource(SELECTED, { type: 'geojson', data: NOTHING })
  map.addLayer({ id: LINES, type: 'line', source: LINES, layout: ROUND, paint: { 'line-color': COLOUR } })
  const isLine = ['==', ['geometry-type'], 'LineString'] as never
  const selectedLine = { type: 'line', source: SELECTED, layout: ROUND, filter: isLine } as const
  map.addLayer({ ...selectedLine, id: 'live-selected-casing', paint: { 'line-color': ink, 'line-width': 7 } })
  map.addLayer({ ...selectedLine, id: 'live-selected-line', paint: { 'line-color': COLOUR, 'line-width': 4 } })
  // A silent runner is a ring, so that it is told apart without colours as well.
  const head = {
    'circle-color': ['case', IS_SILENT, halo, ['get', 'colour']] as never,
    'circle-stroke-color': ['case', IS_SILENT, ['get', 'colour'], halo] as never,
  }
  map.addLayer({
    id: POSITIONS,
    type: 'circle',
    source: POSITIONS,
    paint: { ...head, 'circle-opacity': dimmed(1), 'circle-stroke-opacity': dimmed(1) },
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
    paint: { 'text-color': ink, 'text-halo-color': halo, 'text-halo-width': 1.5, 'text-opacity': dimmed(1) },
  })
  map.addLayer({
    id: SELECTED_POSITION,
    type: 'circle',
    source: SELECTED,
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-color': head['circle-color'],
      'circle-radius': 10,
      'circle-stroke-width': 3,
      'circle-stroke-color': ink,
    },
  })
}

/**
 * Adapts the look of the tracks to their number. Lines that would cover each other are thin and pale, as are all lines
 * next to a selected one. Names appear only when zoomed in, because placing thousands of them takes too long.
 */
export function adaptLook(map: MapLibreMap, { isMany, hasSelected }: { isMany: boolean; hasSelected: boolean }): void {
  map.setPaintProperty(LINES, 'line-width', isMany ? 1 : 2.5)
  map.setPaintProperty(LINES, 'line-opacity', dimmed(isMany || hasSelected ? 0.35 : 0.8))
  map.setPaintProperty(POSITIONS, 'circle-radius', isMany ? 4 : 6)
  map.setPaintProperty(POSITIONS, 'circle-stroke-width', isMany ? 1 : 2)
  map.setLayerZoomRange(NAMES, isMany ? MIN_NAMES_ZOOM : 0, 24)
}

/** Shows the tracks that pass the filter. */
export function filterTracks(map: MapLibreMap, filter: TrackFilter): void {
  const expression = filter === 'all' ? null : (['==', ['get', 'stage'], filter] as never)
  for (const layer of [LINES, POSITIONS, NAMES]) map.setFilter(layer, expression)
}

/** Maps with dimmed tracks. */
const dimmedMaps = new WeakSet<MapLibreMap>()

/**
 * Dims the tracks that a search has not found; undefined for no search. Nothing is drawn anew: only states change. They
 * are left alone without a search: where states were ever changed, MapLibre decodes each tile again on the main thread.
 */
export function dimOthers(map: MapLibreMap, ids: Iterable<string>, found: ReadonlySet<string> | undefined): void {
  if (found !== undefined) dimmedMaps.add(map)
  else if (!dimmedMaps.delete(map)) return
  for (const source of [LINES, POSITIONS]) {
    map.removeFeatureState({ source })
    if (found === undefined) continue
    for (const id of ids) if (!found.has(id)) map.setFeatureState({ source, id }, { dim: true })
  }
}

/** Removes all tracks from a map. */
function clearTracks(map: MapLibreMap): void {
  for (const source of [LINES, POSITIONS]) void map.getSource<GeoJSONSource>(source)?.setData(NOTHING)
}

/** Redraws these tracks and removes those that no longer exist. Resolves when the map has processed the update. */
async function drawTracks(
  map: MapLibreMap,
  { byId }: LiveTracks<SharedTrack>,
  ids: Iterable<string>,
  colourOf: ColourOfTrack,
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
    const properties = propertiesOf(id, entry, colourOf)
    const coordinates = [...entry.pastParts, ...entry.parts]
    lines.push({ type: 'Feature', id, properties, geometry: { type: 'MultiLineString', coordinates } })
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
  selected: { id: string; entry: LiveTrack } | undefined,
  earlierLine: readonly Position[][],
  colourOf: ColourOfTrack,
): void {
  const features: Feature[] = []
  const head = selected && headOf(selected.entry)
  if (selected !== undefined && head !== undefined) {
    const properties = propertiesOf(selected.id, selected.entry, colourOf)
    for (const coordinates of [...earlierLine, ...selected.entry.parts]) {
      if (coordinates.length < 2) continue
      const geometry: LineString = { type: 'LineString', coordinates: [...coordinates] }
      features.push({ type: 'Feature', properties, geometry })
    }
    features.push({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: head } })
  }
  map.getSource<GeoJSONSource>(SELECTED)?.setData({ type: 'FeatureCollection', features })
}

function propertiesOf(id: string, entry: LiveTrack, colourOf: ColourOfTrack) {
  const { track, status } = entry
  const owner = track && ownerOf(track)
  const title = track === undefined ? '' : labelOf(track)
  return {
    id,
    title,
    label: owner === undefined ? title : `${title} · ${owner}`,
    status,
    stage: track === undefined ? 'live' : stageOf(track),
    colour: colourOf(entry),
  }
}

type Drawing = { tracks: LiveTracks<SharedTrack>; version: number; colourOf: ColourOfTrack }

/**
 * Draws what has changed, one update at a time: changes that come while the map processes an update are drawn together
 * after it. A map with a new style is empty and gets all tracks, and so does one with new colours.
 */
export function useDrawing(drawn: { map: MapLibreMap } | undefined, { tracks, version, colourOf }: Drawing): void {
  const filled = useRef<{ drawn: object; tracks: object; colourOf: ColourOfTrack; isBusy: boolean }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  useEffect(() => {
    if (drawn === undefined) return
    const before = filled.current
    if (before?.drawn !== drawn || before.tracks !== tracks) {
      clearTracks(drawn.map)
      filled.current = { drawn, tracks, colourOf, isBusy: false }
    }
    if (before?.colourOf !== colourOf || filled.current !== before) {
      for (const id of tracks.byId.keys()) tracks.changed.add(id)
      filled.current!.colourOf = colourOf
    }
    void draw(drawn.map, filled.current!)

    async function draw(map: MapLibreMap, current: { isBusy: boolean; colourOf: ColourOfTrack }): Promise<void> {
      if (current.isBusy) return
      current.isBusy = true
      while (tracks.changed.size > 0 && filled.current === current) {
        const ids = [...tracks.changed]
        tracks.changed.clear()
        await drawTracks(map, tracks, ids, current.colourOf).catch(() => {})
      }
      current.isBusy = false
    }
  }, [drawn, tracks, version, colourOf])

  useEffect(
    () => () => {
      filled.current = undefined
    },
    [],
  )
}
