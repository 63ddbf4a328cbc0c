import { walkXml, type XmlElement } from '#platform/basics/walk-xml.ts'
import { VALUE_FIELDS, type ValueColumn } from '../points/point-fields.ts'
import {
  type DeviceTotals,
  type FilePoint,
  ImportFileError,
  MAX_POINTS_PER_FILE,
  newPointAllowance,
  type PointAllowance,
  PointCollector,
  type PointElements,
  plus,
  type RecordedTrack,
  readNumber,
  readPointElement,
  readTime,
  recordedTrack,
  type TotalsInFile,
} from './recorded-track.ts'

/** Elements of a point, in GPX 1.0 and 1.1, the extensions of Garmin and others, and our exports. */
const GPX_POINT: PointElements = new Map([
  ['time', 'timeMs'],
  ['ele', 'altitude'],
  ['speed', 'speedMps'],
  ['course', 'heading'],
  ['accuracy', 'accuracy'],
  ['battery', 'battery'],
  ['origin', 'origin'],
])

/** Garmin's TrackStatsExtension. */
const GPX_TOTALS = new Map<string, keyof DeviceTotals>([
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
      if (name === 'trk' && parents.length === 1) {
        const points = new PointCollector(allowance)
        tracks.push({ points, name: undefined, type: undefined, offsetMin: undefined, totals: {} })
      }
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
      else if (parents.includes('trkpt')) readPointElement(element, GPX_POINT, point, track)
      else if (parent === 'trk' && name === 'name') track.name = text
      else if (parent === 'trk' && name === 'type') track.type = text
      else if (parent === 'TrackStatsExtension') readTotal(element, track)
    },
  })
  const [onlyTrack] = tracks
  if (tracks.length === 1) onlyTrack.name ||= documentName
  return tracks.map(({ points, name: title, type: sport, ...rest }) => recordedTrack(points, { title, sport, ...rest }))
}

function readTotal({ name, text }: XmlElement, { totals }: OpenTrack): void {
  const total = GPX_TOTALS.get(name)
  const value = readNumber(text)
  if (total !== undefined && value !== undefined) totals[total] = value
}

/** Elements of a point, in Garmin's Training Center Database v2, its ActivityExtension v2, and our exports. */
const TCX_POINT: PointElements = new Map([
  ['Time', 'timeMs'],
  ['LatitudeDegrees', 'latitude'],
  ['LongitudeDegrees', 'longitude'],
  ['AltitudeMeters', 'altitude'],
  ['Speed', 'speedMps'],
  ['heading', 'heading'],
  ['accuracy', 'accuracy'],
  ['battery', 'battery'],
  ['origin', 'origin'],
])

type OpenActivity = {
  points: PointCollector
  sport: string | undefined
  /** Programs that know titles write them here; a note of several lines is none. */
  notes: string | undefined
  offsetMin: number | undefined
  totals: TotalsInFile
}

/**
 * Reads the activities of a TCX file; the laps of each add up to its totals. Courses are planned and not recorded, and
 * are skipped, as are points without a position, which have readings of other sensors.
 * @throws ImportFileError
 */
export function readTcx(bytes: Uint8Array): RecordedTrack[] {
  const activities: OpenActivity[] = []
  const allowance = newPointAllowance()
  let point: FilePoint = {}
  walkXml(bytes, 'TrainingCenterDatabase', {
    open({ name, attributes }) {
      if (name === 'Trackpoint') point = {}
      if (name !== 'Activity') return
      const points = new PointCollector(allowance)
      activities.push({ points, sport: attributes.get('Sport'), notes: undefined, offsetMin: undefined, totals: {} })
    },
    close(element, parents) {
      const activity = activities.at(-1)
      if (activity === undefined || !parents.includes('Activity')) return
      if (element.name === 'Trackpoint') addTcxPoint(activity, point)
      else if (parents.includes('Trackpoint')) readPointElement(element, TCX_POINT, point, activity)
      else if (parents.at(-1) === 'Activity' && element.name === 'Notes') activity.notes = element.text
      else if (parents.at(-1) === 'Lap') addLapTotal(element, activity.totals)
    },
  })
  return activities.map(({ points, notes, ...rest }) => {
    const title = notes?.includes('\n') ? undefined : notes
    return recordedTrack(points, { title, ...rest })
  })
}

function addTcxPoint({ points }: OpenActivity, point: FilePoint): void {
  if (point.latitude !== undefined || point.longitude !== undefined) points.add(point)
}

/** Adds a total of a lap. The file has the moving time of laps and not the elapsed time, which their points give. */
function addLapTotal({ name, text }: XmlElement, totals: TotalsInFile): void {
  const value = readNumber(text)
  if (name === 'DistanceMeters') totals.distance_meters = plus(totals.distance_meters, value)
  if (name === 'MaximumSpeed') totals.max_speed_mps = Math.max(totals.max_speed_mps ?? 0, value ?? 0)
}

/** A `gx:Track` as the file has it: lists with an entry for each point. */
type OpenKmlTrack = { times: string[]; coordinates: string[]; angles: string[]; arrays: Map<ValueColumn, string[]> }
type OpenPlacemark = { name: string | undefined; type: string | undefined; tracks: OpenKmlTrack[] }

/** Columns by the names that our exports write, and by names that other programs write. */
const COLUMNS = new Map<string, ValueColumn>([
  ...VALUE_FIELDS.map(({ key, column }) => [key, column] as const),
  ['bearing', 'heading'],
])
/** Entries of all lists: each point has one in each. */
const MAX_ENTRIES = MAX_POINTS_PER_FILE * (VALUE_FIELDS.length + 1)

/**
 * Reads the recorded tracks of a KML file: each placemark with a `gx:Track`, or with a `gx:MultiTrack` of several (KML
 * reference of Google; KML 2.3 drops the prefix). Other lines have no times, and are skipped. @throws ImportFileError
 */
export function readKml(bytes: Uint8Array): RecordedTrack[] {
  const placemarks: OpenPlacemark[] = []
  let entries = 0
  /** The `name` of the `Data` or `SimpleArrayData` that is open. */
  let dataName: string | undefined
  walkXml(bytes, 'kml', {
    open({ name, attributes }) {
      if (name === 'Placemark') placemarks.push({ name: undefined, type: undefined, tracks: [] })
      if (name === 'Track')
        placemarks.at(-1)?.tracks.push({ times: [], coordinates: [], angles: [], arrays: new Map() })
      if (name === 'Data' || name === 'SimpleArrayData') dataName = attributes.get('name')
    },
    close(element, parents) {
      const placemark = placemarks.at(-1)
      if (placemark === undefined) return
      if (parents.at(-1) === 'Placemark' && element.name === 'name') placemark.name = element.text
      if (parents.at(-1) === 'Data' && dataName === 'activity_type') placemark.type = element.text
      const list = listOf(element, parents, placemark.tracks.at(-1), dataName)
      if (list === undefined) return
      if (++entries > MAX_ENTRIES) throw new ImportFileError('too_much', 'has too many points')
      list.push(element.text)
    },
  })
  const allowance = newPointAllowance()
  return placemarks
    .filter(({ tracks }) => tracks.length > 0)
    .map((placemark) => recordedPlacemark(placemark, allowance))
}

/** Returns the list that an element adds to; undefined for one that is no entry of a list. */
function listOf(
  { name }: XmlElement,
  parents: readonly string[],
  track: OpenKmlTrack | undefined,
  dataName: string | undefined,
): string[] | undefined {
  if (track === undefined) return undefined
  const parent = parents.at(-1)
  if (parent === 'Track' && name === 'when') return track.times
  if (parent === 'Track' && name === 'coord') return track.coordinates
  if (parent === 'Track' && name === 'angles') return track.angles
  if (parent !== 'SimpleArrayData' || !parents.includes('Track')) return undefined
  const column = COLUMNS.get(dataName ?? '')
  if (column === undefined) return undefined
  const values = track.arrays.get(column) ?? []
  track.arrays.set(column, values)
  return values
}

function recordedPlacemark({ name, type, tracks }: OpenPlacemark, allowance: PointAllowance): RecordedTrack {
  const points = new PointCollector(allowance)
  for (const track of tracks) addKmlPoints(points, track)
  const offsetMin = readTime(tracks[0].times[0])?.offsetMin
  return recordedTrack(points, { title: name, sport: type, offsetMin })
}

/** Adds the points of a track. @throws ImportFileError if its times and positions do not belong together */
function addKmlPoints(points: PointCollector, { times, coordinates, angles, arrays }: OpenKmlTrack): void {
  if (times.length !== coordinates.length) {
    throw new ImportFileError('malformed', `has a track with ${times.length} times and ${coordinates.length} positions`)
  }
  for (const [i, position] of coordinates.entries()) {
    const [longitude, latitude, altitude] = position.split(/\s+/).map(readNumber)
    const point: FilePoint = { timeMs: readTime(times[i])?.timeMs, latitude, longitude, altitude }
    point.heading = readNumber(angles[i]?.split(/\s+/)[0])
    for (const [column, values] of arrays) {
      const value = values[i]
      if (value !== undefined && value !== '') point[column] = column === 'origin' ? value : readNumber(value)
    }
    points.add(point)
  }
}
