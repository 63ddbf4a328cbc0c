import type { Feature, FeatureCollection, LineString, Point } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import { addWords, colouredLine, colourRange, gapLines } from '../../map/coloured-line.ts'
import { distanceMarks } from '../../map/distance-marks.ts'
import type { DrawnSeries, IndexRange } from './drawn-series.ts'

/** The value that colours a track's line. */
export type ColouredBy = 'rate' | 'elevation' | 'gradient'

/**
 * Values that differ by less than this have one colour: a ramp would colour the noise. In m/s, metres, and rise by way.
 */
export const LEAST_SPREAD: Record<ColouredBy, number> = { rate: 0.15, elevation: 3, gradient: 0.02 }

/** The labels on a track; an empty one is not drawn. */
type MarkWords = { start: string; finish: string; along(count: number): string }

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }
const SOURCES = [
  'track-trimmed',
  'track-gaps',
  'track-highlight',
  'track-line',
  'track-left-out',
  'track-marks',
  'track-ends',
  'track-cursor',
] as const
const START = '#0ca678'
const FINISH = '#e03131'
const HIGHLIGHT = '#f59f00'

/** Adds the empty layers of one track to a map, the cursor on top. */
export function addTrackLayers(map: MapLibreMap, dark: boolean): void {
  for (const source of SOURCES) map.addSource(source, { type: 'geojson', data: NOTHING })
  const halo = dark ? '#1a1b1e' : '#ffffff'
  const ink = dark ? '#ffffff' : '#1a1b1e'
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  map.addLayer({
    id: 'track-trimmed',
    type: 'line',
    source: 'track-trimmed',
    layout: round,
    paint: { 'line-color': '#868e96', 'line-width': 3, 'line-opacity': 0.55 },
  })
  map.addLayer({
    id: 'track-highlight',
    type: 'line',
    source: 'track-highlight',
    layout: round,
    paint: { 'line-color': HIGHLIGHT, 'line-width': 16 },
  })
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
  addWords(map, 'track-marks', { sizePx: 11, gap: 0.7, ink, halo })
  addWords(map, 'track-ends', { sizePx: 13, gap: 0.7, ink, halo })
  addPoints(map, 'track-cursor', { radius: 8, fill: ink, stroke: halo })
}

/** Draws a track, coloured by one of its values. */
export function drawTrack(map: MapLibreMap, series: DrawnSeries, by: ColouredBy): void {
  const values = valuesOf(series, by)
  setFeatures(map, 'track-line', colouredLine(series, values, colourRange(values, LEAST_SPREAD[by])))
  setFeatures(map, 'track-gaps', gapLines(series))
  setFeatures(
    map,
    'track-trimmed',
    series.trimmed.map((end) => lineOf(end, { from: 0, to: end.longitude.length - 1 })),
  )
  const { longitude, latitude } = series.left_out
  setFeatures(
    map,
    'track-left-out',
    longitude.map((degrees, index) => pointAt(degrees, latitude[index])),
  )
}

/** Marks a part of a track; none for undefined. */
export function drawHighlight(map: MapLibreMap, series: DrawnSeries, part: IndexRange | undefined): void {
  setFeatures(map, 'track-highlight', part === undefined ? [] : [lineOf(series, part)])
}

/** Marks a track's kilometres or miles, and its ends. */
export function drawMarks(map: MapLibreMap, series: DrawnSeries, metersPerMark: number, words: MarkWords): void {
  const { longitude, latitude } = series
  const marks = distanceMarks(series, metersPerMark)
  setFeatures(
    map,
    'track-marks',
    marks.map((mark) => pointAt(mark.longitude, mark.latitude, { word: words.along(mark.count) })),
  )
  const last = longitude.length - 1
  const ends = [
    pointAt(longitude[last], latitude[last], { colour: FINISH, word: words.finish }),
    pointAt(longitude[0], latitude[0], { colour: START, word: words.start }),
  ]
  setFeatures(map, 'track-ends', last < 0 ? [] : ends)
}

/** Marks the position under the cursor; none for undefined. */
export function drawCursor(map: MapLibreMap, series: DrawnSeries, index: number | undefined): void {
  const point = index === undefined ? [] : [pointAt(series.longitude[index], series.latitude[index])]
  setFeatures(map, 'track-cursor', point)
}

/** Returns the values that colour a line. */
export function valuesOf(series: DrawnSeries, by: ColouredBy): (number | null)[] {
  return { rate: series.speed_mps, elevation: series.altitude_smoothed, gradient: series.gradient }[by]
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

type Places = { longitude: readonly number[]; latitude: readonly number[] }

function lineOf({ longitude, latitude }: Places, { from, to }: IndexRange): Feature<LineString> {
  const coordinates = longitude.slice(from, to + 1).map((degrees, index) => [degrees, latitude[from + index]])
  // A line of one position is not valid.
  if (coordinates.length === 1) coordinates.push(coordinates[0])
  return { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } }
}

/** Returns a point of a map with its properties. */
export function pointAt(longitude: number, latitude: number, properties: object = {}): Feature<Point> {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [longitude, latitude] } }
}

/** Replaces the data of a map's source. */
export function setFeatures(map: MapLibreMap, source: string, features: Feature[]): void {
  map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features })
}
