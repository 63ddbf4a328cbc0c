import type { Feature, FeatureCollection, Point } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import { addWords } from '../../map/coloured-line.ts'
import { unwrapLongitudes } from '../../map/coordinates.ts'
import { distanceMarks } from '../../map/distance-marks.ts'
import type { Checkpoint, CourseLine } from '../generated/types.gen.ts'
import type { Format } from '../i18n/format.ts'
import { type CheckpointShape, outlineOf, placeAlong } from './checkpoint-drafts.ts'

/** A checkpoint as a map shows it. */
export type ShownCheckpoint = {
  name: string
  kind: Checkpoint['kind']
  course_distance_m: number
  shape: CheckpointShape
}

/** A course as a map shows it. */
export type ShownCourse = { line: CourseLine; checkpoints: readonly ShownCheckpoint[] }

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }
const LINE = 'course-line'
const MARKS = 'course-marks'
const GATES = 'course-gates'
const NAMES = 'course-names'

/** Colours of checkpoints by kind, on maps and in lists. */
export const KIND_COLOURS: Record<Checkpoint['kind'], string> = {
  start: '#0ca678',
  checkpoint: '#e8590c',
  finish: '#e03131',
}
const KIND_COLOUR = [
  'match',
  ['get', 'kind'],
  'start',
  KIND_COLOURS.start,
  'finish',
  KIND_COLOURS.finish,
  KIND_COLOURS.checkpoint,
] as never

/** Adds the empty layers of a course to a map: its line, its kilometres and its checkpoints. */
export function addCourseLayers(map: MapLibreMap, dark: boolean): void {
  for (const source of [LINE, MARKS, GATES, NAMES]) map.addSource(source, { type: 'geojson', data: NOTHING })
  const [ink, halo] = dark ? ['#ffffff', '#1a1b1e'] : ['#1a1b1e', '#ffffff']
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  map.addLayer({
    id: 'course-halo',
    type: 'line',
    source: LINE,
    layout: round,
    paint: { 'line-color': halo, 'line-width': 7 },
  })
  map.addLayer({
    id: LINE,
    type: 'line',
    source: LINE,
    layout: round,
    paint: { 'line-color': dark ? '#b197fc' : '#6741d9', 'line-width': 3.5, 'line-opacity': 0.85 },
  })
  const isRing = ['==', ['geometry-type'], 'Polygon'] as never
  map.addLayer({
    id: 'course-rings',
    type: 'fill',
    source: GATES,
    filter: isRing,
    paint: { 'fill-color': KIND_COLOUR, 'fill-opacity': 0.2 },
  })
  map.addLayer({
    id: GATES,
    type: 'line',
    source: GATES,
    layout: round,
    paint: { 'line-color': KIND_COLOUR, 'line-width': 4 },
  })
  map.addLayer({
    id: MARKS,
    type: 'circle',
    source: MARKS,
    paint: { 'circle-radius': 2.5, 'circle-color': ink, 'circle-stroke-color': halo, 'circle-stroke-width': 2 },
  })
  addWords(map, MARKS, { sizePx: 11, gap: 0.9, ink, halo })
  addWords(map, NAMES, { sizePx: 13, gap: 0.9, ink, halo })
}

/** Draws the line and the kilometres or miles of a course. Draws nothing for null. */
export function drawCourse(map: MapLibreMap, line: CourseLine | null, { number, units }: Format): void {
  if (line === null) {
    for (const source of [LINE, MARKS]) void map.getSource<GeoJSONSource>(source)?.setData(NOTHING)
    return
  }
  const coordinates = unwrapLongitudes(line.longitude).map((longitude, i) => [longitude, line.latitude[i]])
  setFeatures(map, LINE, [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } }])
  const marks = distanceMarks({ ...line, distance_meters: line.distance_m }, units.metersPerFar)
  setFeatures(
    map,
    MARKS,
    marks.map((mark) => pointAt(mark, { word: number(mark.count) })),
  )
}

/** Draws checkpoints with their names. */
export function drawCheckpoints(map: MapLibreMap, line: CourseLine, checkpoints: readonly ShownCheckpoint[]): void {
  setFeatures(
    map,
    GATES,
    checkpoints.map(({ kind, shape }) => {
      const outline = outlineOf(shape)
      const geometry =
        shape.type === 'line'
          ? { type: 'LineString' as const, coordinates: outline }
          : { type: 'Polygon' as const, coordinates: [outline] }
      return { type: 'Feature', properties: { kind }, geometry }
    }),
  )
  setFeatures(
    map,
    NAMES,
    checkpoints.map(({ name, course_distance_m }) => pointAt(placeAlong(line, course_distance_m), { word: name })),
  )
}

function pointAt({ longitude, latitude }: { longitude: number; latitude: number }, properties: object): Feature<Point> {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [longitude, latitude] } }
}

function setFeatures(map: MapLibreMap, source: string, features: Feature[]): void {
  void map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features })
}
