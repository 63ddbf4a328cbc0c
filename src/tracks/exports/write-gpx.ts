import { formatDateTime } from '#platform/time/date-time.ts'
import { ORIGINS } from '../points/point-columns.ts'
import { type ExportedTrack, type PointsPage, plainDecimal } from './exported-track.ts'

/** Names of the extensions: speed and course as many programs read them (Garmin), and what has no other place. */
const NAMESPACES = [
  'xmlns="http://www.topografix.com/GPX/1/1"',
  'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"',
  'xmlns:trackpress="urn:trackpress:point:1"',
].join(' ')

/**
 * A track as GPX 1.1 (https://www.topografix.com/GPX/1/1/), in pieces. Each pause begins a new segment, as programs
 * join the points of one.
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
  const motion = element('gpxtpx:speed', page.speedMps[i]) + element('gpxtpx:course', page.heading[i])
  const origin = ORIGINS[page.origin[i]]
  const own =
    element('trackpress:accuracy', page.accuracy[i]) +
    element('trackpress:battery', page.battery[i]) +
    (origin === undefined ? '' : `<trackpress:origin>${origin}</trackpress:origin>`)
  const all = motion === '' ? own : `<gpxtpx:TrackPointExtension>${motion}</gpxtpx:TrackPointExtension>${own}`
  return all === '' ? '' : `<extensions>${all}</extensions>`
}

function element(name: string, value: number): string {
  return Number.isNaN(value) ? '' : `<${name}>${plainDecimal(value)}</${name}>`
}

/** XML 1.0 cannot hold most control characters in any spelling (2.2); they become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
}
