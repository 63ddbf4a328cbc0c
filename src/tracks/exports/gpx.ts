import { formatDateTime } from '#platform/basics/time.ts'
import { type ExportedTrack, type PointSlice, plainDecimal } from './exported-track.ts'
import {
  createOwnFields,
  element,
  escapeXml,
  longitudeText,
  TRACKPRESS_NAMESPACE,
  writePoints,
  XML_DECLARATION,
} from './xml.ts'

/** Namespaces of the extensions: speed and course as many programs read them (Garmin), our own for all other fields. */
const NAMESPACES = [
  'xmlns="http://www.topografix.com/GPX/1/1"',
  'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"',
  TRACKPRESS_NAMESPACE,
].join(' ')

const ownFields = createOwnFields(['latitude', 'longitude', 'altitude', 'speedMps', 'heading'])

/**
 * Writes a track as GPX 1.1 (https://www.topografix.com/GPX/1/1/), in pieces. Each pause begins a new segment, because
 * programs join the points of a segment.
 */
export async function* writeGpx(track: ExportedTrack): AsyncGenerator<string> {
  yield `${XML_DECLARATION}<gpx version="1.1" creator="Trackpress" ${NAMESPACES}>\n`
  yield `<metadata><name>${escapeXml(track.title)}</name><time>${formatDateTime(track.startMs)}</time></metadata>\n`
  yield `<trk><name>${escapeXml(track.title)}</name><type>${escapeXml(track.activityType)}</type>\n<trkseg>\n`
  yield* writePoints(track, '</trkseg>\n<trkseg>\n', trackPoint)
  yield '</trkseg>\n</trk>\n</gpx>\n'
}

function trackPoint(points: PointSlice, i: number): string {
  const place = `lat="${plainDecimal(points.latitude[i])}" lon="${longitudeText(points.longitude[i])}"`
  const time = `<time>${formatDateTime(points.timeMs[i])}</time>`
  return `<trkpt ${place}>${element('ele', points.altitude[i])}${time}${extensions(points, i)}</trkpt>\n`
}

function extensions(points: PointSlice, i: number): string {
  const motion = element('gpxtpx:speed', points.speedMps[i]) + element('gpxtpx:course', course(points.heading[i]))
  const own = ownFields(points, i)
  const all = motion === '' ? own : `<gpxtpx:TrackPointExtension>${motion}</gpxtpx:TrackPointExtension>${own}`
  return all === '' ? '' : `<extensions>${all}</extensions>`
}

/** Degrees of GPX are below 360. */
function course(heading: number): number {
  return heading === 360 ? 0 : heading
}
