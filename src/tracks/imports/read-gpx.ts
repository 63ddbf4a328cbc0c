import { walkXml, type XmlElement } from '#platform/basics/walk-xml.ts'
import {
  type DeviceTotals,
  type FilePoint,
  newPointAllowance,
  PointCollector,
  type PointElements,
  type RecordedTrack,
  readNumber,
  readPointElement,
  recordedTrack,
  type TotalsInFile,
} from './recorded-track.ts'

/** Elements of a point, in GPX 1.0 and 1.1, the extensions of Garmin and others, and our exports. */
const POINT: PointElements = new Map([
  ['time', 'timeMs'],
  ['ele', 'altitude'],
  ['speed', 'speedMps'],
  ['course', 'heading'],
  ['accuracy', 'accuracy'],
  ['battery', 'battery'],
  ['origin', 'origin'],
])

/** Garmin's TrackStatsExtension. */
const TOTALS = new Map<string, keyof DeviceTotals>([
  ['Distance', 'distance_meters'],
  ['TotalElapsedTime', 'duration_sec'],
  ['Ascent', 'elevation_gain_m'],
  ['Descent', 'elevation_loss_m'],
  ['MaxSpeed', 'max_speed_mps'],
  ['MaxElevation', 'max_altitude_m'],
  ['MinElevation', 'min_altitude_m'],
])

type OpenTrack = {
  points: PointCollector
  name: string | undefined
  type: string | undefined
  offsetMin: number | undefined
  totals: TotalsInFile
}

/**
 * Reads the tracks of a GPX 1.0 or 1.1 file (https://www.topografix.com/GPX/1/1/), each with all its segments. Routes
 * and waypoints are not recorded, and are skipped.
 * @throws ImportFileError
 */
export function readGpx(bytes: Uint8Array): RecordedTrack[] {
  const tracks: OpenTrack[] = []
  const allowance = newPointAllowance()
  let documentName: string | undefined
  let point: FilePoint = {}
  walkXml(bytes, 'gpx', {
    open({ name, attributes }, parents) {
      if (name === 'trk' && parents.length === 1) tracks.push(newTrack(new PointCollector(allowance)))
      if (name === 'trkpt')
        point = { latitude: readNumber(attributes.get('lat')), longitude: readNumber(attributes.get('lon')) }
    },
    close(element, parents) {
      const track = tracks.at(-1)
      const { name, text } = element
      const parent = parents.at(-1)
      if (parent === 'metadata' || parents.length === 1) {
        if (name === 'name') documentName ??= text
      } else if (track === undefined) return
      else if (name === 'trkpt') track.points.add(point)
      else if (parents.includes('trkpt')) readPointElement(element, POINT, point, track)
      else if (parent === 'trk' && name === 'name') track.name = text
      else if (parent === 'trk' && name === 'type') track.type = text
      else if (parent === 'TrackStatsExtension') readTotal(element, track)
    },
  })
  const [onlyTrack] = tracks
  if (tracks.length === 1) onlyTrack.name ||= documentName
  return tracks.map(({ points, name: title, type: sport, ...rest }) => recordedTrack(points, { title, sport, ...rest }))
}

function newTrack(points: PointCollector): OpenTrack {
  return { points, name: undefined, type: undefined, offsetMin: undefined, totals: {} }
}

function readTotal({ name, text }: XmlElement, { totals }: OpenTrack): void {
  const total = TOTALS.get(name)
  const value = readNumber(text)
  if (total !== undefined && value !== undefined) totals[total] = value
}
