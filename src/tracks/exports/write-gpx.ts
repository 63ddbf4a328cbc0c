import { formatDateTime } from '#platform/time/date-time.ts'
import { VALUE_FIELDS, type ValueColumn } from '../points/point-fields.ts'
import { fieldValue } from '../points/point-values.ts'
import { type ExportedTrack, type PointsPage, plainDecimal } from './exported-track.ts'

/** Namespaces of the extensions: speed and course as many programs read them (Garmin), our own for all other fields. */
const NAMESPACES = [
  'xmlns="http://www.topografix.com/GPX/1/1"',
  'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"',
  'xmlns:trackpress="urn:trackpress:point:1"',
].join(' ')

/** Fields that GPX itself, or Garmin's extension, has a name for. */
const STANDARD_COLUMNS: readonly ValueColumn[] = ['latitude', 'longitude', 'altitude', 'speedMps', 'heading']
const OWN_FIELDS = VALUE_FIELDS.filter(({ column }) => !STANDARD_COLUMNS.includes(column))

/**
 * Writes a track as GPX 1.1 (https://www.topografix.com/GPX/1/1/), in pieces. Each pause begins a new segment, because
 * programs join the points of a segment.
 */
export async function* writeGpx(track: ExportedTrack): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Trackpress" ${NAMESPACES}>\n`
  yield `<metadata><name>${escapeXml(track.title)}</name><time>${formatDateTime(track.startMs)}</time></metadata>\n`
  yield `<trk><name>${escapeXml(track.title)}</name><type>${escapeXml(track.activityType)}</type>\n<trkseg>\n`
  const pauses = track.pauses.filter(({ fromMs, toMs }) => fromMs < toMs)
  let next = 0
  let lastMs: number | undefined
  for await (const page of track.pages) {
    let text = ''
    for (let i = page.from; i < page.to; i++) {
      const timeMs = page.timeMs[i]
      while (next < pauses.length && pauses[next].toMs <= (lastMs ?? timeMs)) next++
      if (lastMs !== undefined && next < pauses.length && pauses[next].fromMs < timeMs) text += '</trkseg>\n<trkseg>\n'
      text += trackPoint(page, i)
      lastMs = timeMs
    }
    yield text
  }
  yield '</trkseg>\n</trk>\n</gpx>\n'
}

function trackPoint(page: PointsPage, i: number): string {
  const place = `lat="${plainDecimal(page.latitude[i])}" lon="${plainDecimal(page.longitude[i])}"`
  const height = Number.isNaN(page.altitude[i]) ? '' : `<ele>${plainDecimal(page.altitude[i])}</ele>`
  const time = `<time>${formatDateTime(page.timeMs[i])}</time>`
  return `<trkpt ${place}>${height}${time}${extensions(page, i)}</trkpt>\n`
}

function extensions(page: PointsPage, i: number): string {
  const motion = element('gpxtpx:speed', known(page.speedMps[i])) + element('gpxtpx:course', known(page.heading[i]))
  const own = OWN_FIELDS.map((field) => element(`trackpress:${field.key}`, fieldValue(page, i, field))).join('')
  const all = motion === '' ? own : `<gpxtpx:TrackPointExtension>${motion}</gpxtpx:TrackPointExtension>${own}`
  return all === '' ? '' : `<extensions>${all}</extensions>`
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value
}

function element(name: string, value: number | string | null): string {
  if (value === null) return ''
  return `<${name}>${typeof value === 'number' ? plainDecimal(value) : escapeXml(value)}</${name}>`
}

/** Escapes text for XML 1.0, which cannot contain most control characters in any spelling (2.2); they become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
}
