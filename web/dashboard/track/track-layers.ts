import type { Feature, FeatureCollection, Point } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import { colouredLine, colourRange, gapLines } from '../../map/coloured-line.ts'
import type { TrackSeries } from '../api/tracks.ts'

/** What a track's line is coloured by. */
export type ColouredBy = 'speed' | 'elevation'

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }
const SOURCES = ['track-gaps', 'track-line', 'track-left-out', 'track-ends', 'track-cursor'] as const

/** Puts the empty layers of one track on a map, what is pointed at on top. */
export function addTrackLayers(map: MapLibreMap, dark: boolean): void {
  for (const source of SOURCES) map.addSource(source, { type: 'geojson', data: NOTHING })
  const halo = dark ? '#1a1b1e' : '#ffffff'
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  map.addLayer({
    id: 'track-gaps',
    type: 'line',
    source: 'track-gaps',
    paint: { 'line-color': '#868e96', 'line-width': 2, 'line-dasharray': [2, 2] },
  })
  map.addLayer({
    id: 'track-halo',
    type: 'line',
    source: 'track-line',
    layout: round,
    paint: { 'line-color': halo, 'line-width': 8, 'line-opacity': 0.9 },
  })
  map.addLayer({
    id: 'track-line',
    type: 'line',
    source: 'track-line',
    layout: round,
    paint: { 'line-color': ['get', 'colour'], 'line-width': 4 },
  })
  addPoints(map, 'track-left-out', { radius: 4, fill: 'rgba(0,0,0,0)', stroke: '#e03131' })
  addPoints(map, 'track-ends', { radius: 7, fill: ['get', 'colour'], stroke: halo })
  addPoints(map, 'track-cursor', { radius: 8, fill: dark ? '#ffffff' : '#1a1b1e', stroke: halo })
}

/** Draws a track, coloured by one of its values. */
export function drawTrack(map: MapLibreMap, series: TrackSeries, by: ColouredBy): void {
  const values = valuesOf(series, by)
  setFeatures(map, 'track-line', colouredLine(series, values, colourRange(values) ?? { from: 0, to: 0 }))
  setFeatures(map, 'track-gaps', gapLines(series))
  setFeatures(
    map,
    'track-left-out',
    series.left_out.longitude.map((longitude, index) => pointAt(longitude, series.left_out.latitude[index])),
  )
  const last = series.longitude.length - 1
  const ends = last < 0 ? [] : [endAt(series, last, '#e03131'), endAt(series, 0, '#0ca678')]
  setFeatures(map, 'track-ends', ends)
}

/** Marks the position that is pointed at; none for undefined. */
export function drawCursor(map: MapLibreMap, series: TrackSeries, index: number | undefined): void {
  const point = index === undefined ? [] : [pointAt(series.longitude[index], series.latitude[index])]
  setFeatures(map, 'track-cursor', point)
}

/** The values that a line is coloured by. */
export function valuesOf(series: TrackSeries, by: ColouredBy): (number | null)[] {
  return by === 'speed' ? series.speed_mps : series.altitude_smoothed
}

type Dots = { radius: number; fill: unknown; stroke: string }

function addPoints(map: MapLibreMap, id: string, { radius, fill, stroke }: Dots): void {
  map.addLayer({
    id,
    type: 'circle',
    source: id,
    paint: {
      'circle-radius': radius,
      'circle-color': fill as never,
      'circle-stroke-color': stroke,
      'circle-stroke-width': 2,
    },
  })
}

function endAt({ longitude, latitude }: TrackSeries, index: number, colour: string): Feature<Point> {
  return { ...pointAt(longitude[index], latitude[index]), properties: { colour } }
}

function pointAt(longitude: number, latitude: number): Feature<Point> {
  return { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [longitude, latitude] } }
}

function setFeatures(map: MapLibreMap, source: string, features: Feature[]): void {
  map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features })
}
