import { walkXml, type XmlElement } from '#platform/basics/walk-xml.ts'
import { VALUE_FIELDS, type ValueColumn } from '../points/point-fields.ts'
import {
  type FilePoint,
  ImportFileError,
  MAX_POINTS_PER_FILE,
  newPointAllowance,
  type PointAllowance,
  PointCollector,
  type RecordedTrack,
  readNumber,
  readTime,
  recordedTrack,
} from './recorded-track.ts'

/** A `gx:Track` as the file has it: lists with an entry for each point. */
type OpenTrack = { times: string[]; coordinates: string[]; angles: string[]; arrays: Map<ValueColumn, string[]> }
type OpenPlacemark = { name: string | undefined; type: string | undefined; tracks: OpenTrack[] }

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
      if (name === 'Track') placemarks.at(-1)?.tracks.push(newTrack())
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
  return placemarks.filter(({ tracks }) => tracks.length > 0).map((placemark) => recorded(placemark, allowance))
}

function newTrack(): OpenTrack {
  return { times: [], coordinates: [], angles: [], arrays: new Map() }
}

/** Returns the list that an element adds to; undefined for one that is no entry of a list. */
function listOf(
  { name }: XmlElement,
  parents: readonly string[],
  track: OpenTrack | undefined,
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

function recorded({ name, type, tracks }: OpenPlacemark, allowance: PointAllowance): RecordedTrack {
  const points = new PointCollector(allowance)
  for (const track of tracks) addPoints(points, track)
  const offsetMin = readTime(tracks[0].times[0])?.offsetMin
  return recordedTrack(points, { title: name, sport: type, offsetMin })
}

/** Adds the points of a track. @throws ImportFileError if its times and positions do not belong together */
function addPoints(points: PointCollector, { times, coordinates, angles, arrays }: OpenTrack): void {
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
