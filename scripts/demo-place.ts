// osmium export -f geojsonseq --format-option=print_record_separator=false <osm.pbf> | node scripts/demo-place.ts
// Writes the map and the course of the demo's race from data of OpenStreetMap: see demo/place/README.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawMap } from './demo-place/draw-map.ts'
import type { MapFeature } from './demo-place/map-layers.ts'
import { type CoursePlace, planCourse, type Waypoint } from './demo-place/plan-course.ts'

const FOLDER = fileURLToPath(new URL('../demo/place', import.meta.url))
const MAP = {
  name: 'Liechtenstein, 2013',
  description: 'Map data of 3 August 2013 under the Open Database License 1.0',
  bounds: [9.4711, 47.0478, 9.6362, 47.2712],
  minZoom: 8,
  maxZoom: 14,
} as const

/**
 * From the village up to its castle, through the woods of the Ellholz, and back along the Rhine. Heights are known of
 * the village, the castle and the bridge of Trübbach; the others are estimates.
 */
const WAYPOINTS: readonly Waypoint[] = [
  { longitude: 9.5015, latitude: 47.0674, altitude: 472 },
  { longitude: 9.50217, latitude: 47.06643, altitude: 475 },
  // Burg Gutenberg
  { longitude: 9.50083, latitude: 47.06499, altitude: 540 },
  { longitude: 9.49855, latitude: 47.06331, altitude: 482 },
  { longitude: 9.49624, latitude: 47.06092, altitude: 477 },
  { longitude: 9.48817, latitude: 47.05616, altitude: 488 },
  { longitude: 9.48652, latitude: 47.05494, altitude: 502 },
  { longitude: 9.48649, latitude: 47.05131, altitude: 561 },
  { longitude: 9.4844, latitude: 47.05376, altitude: 549 },
  { longitude: 9.48356, latitude: 47.05847, altitude: 483 },
  { longitude: 9.47571, latitude: 47.05422, altitude: 483 },
  // The bridge of Trübbach
  { longitude: 9.48133, latitude: 47.0687, altitude: 479 },
  { longitude: 9.49254, latitude: 47.0711, altitude: 475 },
  { longitude: 9.4985, latitude: 47.0752, altitude: 473 },
  { longitude: 9.5013, latitude: 47.0708, altitude: 472 },
  { longitude: 9.50284, latitude: 47.0682, altitude: 472 },
]

const features = readFileSync(0, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as MapFeature)
writeFileSync(join(FOLDER, 'liechtenstein.pmtiles'), drawMap(features, MAP))
writeFileSync(join(FOLDER, 'course.gpx'), gpxOf('Castle and Rhine', planCourse(features, WAYPOINTS)))

function gpxOf(name: string, places: readonly CoursePlace[]): string {
  const points = places.map(
    ({ longitude, latitude, altitude }) =>
      `<trkpt lat="${latitude}" lon="${longitude}"><ele>${altitude}</ele></trkpt>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Trackpress" xmlns="http://www.topografix.com/GPX/1/1">
<trk><name>${name}</name><trkseg>
${points.join('')}</trkseg></trk>
</gpx>
`
}
