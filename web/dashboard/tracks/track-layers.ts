import type { Feature, FeatureCollection, Point } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import { colouredLine, colourRange, gapLines } from '../../map/coloured-line.ts'
import type { TrackSeries } from '../api/tracks.ts'
import { distanceMarks } from './distance-marks.ts'

/** The value that colours a track's line. */
export type ColouredBy = 'speed' | 'elevation'

/** The labels on a track; an empty one is not drawn. */
type MarkWords = { start: string; finish: string; km(km: number): string }

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }
const SOURCES = ['track-gaps', 'track-line', 'track-left-out', 'track-marks', 'track-ends', 'track-cursor'] as const
const START = '#0ca678'
const FINISH = '#e03131'

/** Adds the empty layers of one track to a map, the cursor on top. */
export function addTrackLayers(map: MapLibreMap, dark: boolean): void {
  for (const source of SOURCES) map.addSource(source, { type: 'geojson', data: NOTHING })
  const halo = dark ? '#1a1b1e' : '#ffffff'
  const ink = dark ? '#ffffff' : '#1a1b1e'
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
  addPoints(map, 'track-left-out', { radius: 4, fill: 'rgba(0,0,0,0)', stroke: FINISH })
  addPoints(map, 'track-marks', { radius: 2.5, fill: ink, stroke: halo })
  addPoints(map, 'track-ends', { radius: 7, fill: ['get', 'colour'], stroke: halo })
  addWords(map, 'track-marks', { sizePx: 11, ink, halo })
  addWords(map, 'track-ends', { sizePx: 13, ink, halo })
  addPoints(map, 'track-cursor', { radius: 8, fill: ink, stroke: halo })
}

/** Draws a track, coloured by one of its values. */
export function drawTrack(map: MapLibreMap, series: TrackSeries, by: ColouredBy): void {
  const values = valuesOf(series, by)
  setFeatures(map, 'track-line', colouredLine(series, values, colourRange(values) ?? { from: 0, to: 0 }))
  setFeatures(map, 'track-gaps', gapLines(series))
  const { longitude, latitude } = series.left_out
  setFeatures(
    map,
    'track-left-out',
    longitude.map((degrees, index) => pointAt(degrees, latitude[index])),
  )
}

/** Marks a track's kilometres and its ends. */
export function drawMarks(map: MapLibreMap, series: TrackSeries, words: MarkWords): void {
  const { longitude, latitude } = series
  const marks = distanceMarks(series)
  setFeatures(
    map,
    'track-marks',
    marks.map((mark) => pointAt(mark.longitude, mark.latitude, { word: words.km(mark.km) })),
  )
  const last = longitude.length - 1
  const ends = [
    pointAt(longitude[last], latitude[last], { colour: FINISH, word: words.finish }),
    pointAt(longitude[0], latitude[0], { colour: START, word: words.start }),
  ]
  setFeatures(map, 'track-ends', last < 0 ? [] : ends)
}

/** Marks the position under the cursor; none for undefined. */
export function drawCursor(map: MapLibreMap, series: TrackSeries, index: number | undefined): void {
  const point = index === undefined ? [] : [pointAt(series.longitude[index], series.latitude[index])]
  setFeatures(map, 'track-cursor', point)
}

/** Returns the values that colour a line. */
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

/** Adds labels next to the points of a source, where there is room for them. */
function addWords(map: MapLibreMap, source: string, look: { sizePx: number; ink: string; halo: string }): void {
  map.addLayer({
    id: `${source}-words`,
    type: 'symbol',
    source,
    layout: {
      'text-field': ['get', 'word'],
      'text-size': look.sizePx,
      'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
      'text-radial-offset': 0.7,
      'text-justify': 'auto',
    },
    paint: { 'text-color': look.ink, 'text-halo-color': look.halo, 'text-halo-width': 2 },
  })
}

function pointAt(longitude: number, latitude: number, properties: object = {}): Feature<Point> {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [longitude, latitude] } }
}

function setFeatures(map: MapLibreMap, source: string, features: Feature[]): void {
  map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features })
}
