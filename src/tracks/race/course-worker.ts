import { SaxesParser } from 'saxes'
import { readDecimal } from '#platform/basics/text.ts'
import { decodeXml, XmlEncodingError } from '#platform/basics/xml-encoding.ts'
import { type CourseLine, projectionFor } from '../statistics/course-line.ts'
import { courseClimb, courseLength, distancesAlong, withoutAltitudeLeaps } from './course.ts'

/** Reads the file of a course in a worker thread. The pool calls it. */
export function readCourse(bytes: Uint8Array): ReadCourse {
  return readCourseFile(bytes)
}

/** A course as it is stored, or why the file is none. Errors lose their class on their way between threads. */
export type ReadCourse = (GpxCourse & { climbM: number | null }) | { problem: string }

/** Reads the file of a course, frees it from altitudes that leap, and simplifies its line. */
function readCourseFile(bytes: Uint8Array): ReadCourse {
  try {
    const { name, line } = readGpxCourse(bytes)
    return { name, line: simplifyLine(withoutAltitudeLeaps(line)), climbM: courseClimb(line) }
  } catch (error) {
    if (error instanceof CourseFileError) return { problem: error.message }
    throw error
  }
}

/** Most points of a course: 24 hours, one a second, and twice as many. Lines of planners have some thousands. */
const MAX_POINTS = 200_000
/** GPX is nested seven deep; extensions add a few. */
const MAX_DEPTH = 64
const MIN_LENGTH_METERS = 50
/** Places that follow each other closer than this are one. */
const SAME_PLACE_METERS = 0.1

/** A file that is no course. The message continues "The course …". */
class CourseFileError extends Error {
  override name = 'CourseFileError'
}

type Place = { latitude: number; longitude: number; altitude: number }
type Found = { tracks: Place[][]; routes: Place[][]; name: string | undefined }

/** A course as its file has it. */
type GpxCourse = { name: string | null; line: CourseLine }

/**
 * Reads the track of a GPX 1.0 or 1.1 file, with its segments joined, or its route if it has no track.
 * @throws CourseFileError for other files; for document types, entities, several tracks, and sizes that no course has
 */
export function readGpxCourse(bytes: Uint8Array): GpxCourse {
  const { tracks, routes, name } = findPlaces(bytes)
  const lines = [tracks, routes]
    .map((found) => found.filter(({ length }) => length > 0))
    .find(({ length }) => length > 0)
  if (lines === undefined) throw new CourseFileError('has neither a track nor a route with points')
  if (lines.length > 1)
    throw new CourseFileError(`has ${lines.length} tracks or routes; keep only the one of the course`)
  const line = lineOf(lines[0])
  if (courseLength(line) < MIN_LENGTH_METERS) throw new CourseFileError(`is shorter than ${MIN_LENGTH_METERS} m`)
  return { name: name?.trim().slice(0, 200) || null, line }
}

function lineOf(places: readonly Place[]): CourseLine {
  const column = (key: keyof Place) => Float64Array.from(places, (place) => place[key])
  const all = { latitude: column('latitude'), longitude: column('longitude'), altitude: column('altitude') }
  const distanceM = distancesAlong(all.latitude, all.longitude)
  const isKept = (_: number, i: number) => i === 0 || distanceM[i] - distanceM[i - 1] >= SAME_PLACE_METERS
  return {
    latitude: all.latitude.filter(isKept),
    longitude: all.longitude.filter(isKept),
    altitude: all.altitude.filter(isKept),
    distanceM: distanceM.filter(isKept),
  }
}

function findPlaces(bytes: Uint8Array): Found {
  const found: Found = { tracks: [], routes: [], name: undefined }
  const parser = new SaxesParser({ xmlns: false })
  const path: string[] = []
  let count = 0
  let text = ''
  let place: Place | undefined
  parser.on('error', (error) => {
    throw new CourseFileError(`is not well-formed XML: ${error.message}`)
  })
  parser.on('doctype', () => {
    throw new CourseFileError('has a document type, which is refused')
  })
  parser.on('opentag', ({ name, attributes }) => {
    const tag = localName(name)
    if (path.length === 0 && tag !== 'gpx') throw new CourseFileError('is no GPX file')
    path.push(tag)
    if (path.length > MAX_DEPTH) throw new CourseFileError(`is nested deeper than ${MAX_DEPTH} elements`)
    text = ''
    if (tag === 'trk') found.tracks.push([])
    if (tag === 'rte') found.routes.push([])
    const line = tag === 'trkpt' ? found.tracks.at(-1) : tag === 'rtept' ? found.routes.at(-1) : undefined
    if (line === undefined) return
    count++
    if (count > MAX_POINTS) throw new CourseFileError(`has more than ${MAX_POINTS} points`)
    place = readPlace(attributes, count)
    line.push(place)
  })
  const addText = (more: string) => {
    text += more
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const tag = path.pop()
    const parent = path.at(-1)
    if (tag === 'ele' && place !== undefined) place.altitude = readAltitude(text)
    if (tag === 'name' && (parent === 'trk' || parent === 'rte')) found.name ??= text
    if (tag === 'trkpt' || tag === 'rtept') place = undefined
    text = ''
  })
  for (const piece of textOf(bytes)) parser.write(piece)
  parser.close()
  return found
}

/** Returns the text of the file in pieces. @throws CourseFileError for bytes that are no text */
function* textOf(bytes: Uint8Array): Generator<string> {
  try {
    yield* decodeXml(bytes)
  } catch (error) {
    throw error instanceof XmlEncodingError ? new CourseFileError(error.message) : error
  }
}

function readPlace({ lat, lon }: Record<string, unknown>, count: number): Place {
  const [latitude, longitude] = [readNumber(lat), readNumber(lon)]
  const isOnGlobe = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  if (!isOnGlobe) throw new CourseFileError(`has no valid lat and lon in point ${count}`)
  return { latitude, longitude, altitude: Number.NaN }
}

function readNumber(text: unknown): number {
  return (typeof text === 'string' ? readDecimal(text) : undefined) ?? Number.NaN
}

function readAltitude(text: string): number {
  const meters = readNumber(text)
  return Math.abs(meters) < 20_000 ? meters : Number.NaN
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Largest deviations of the simplified line: below the error of any receiver, and of elevation models. */
const TOLERANCE_METERS = 1
const ALTITUDE_TOLERANCE_METERS = 2
/** Most places of a simplified line: every track in a race is compared with all of them. */
const MAX_PLACES = 20_000
/** Places between two that are always kept. It bounds the work for a line that was made to be slow. */
const PART_PLACES = 1000

/**
 * Leaves out places without which the line stays within a metre of itself, and within two in height (Douglas and
 * Peucker, "Algorithms for the reduction of the number of points required to represent a digitized line", Cartographica
 * 10, 1973). A line that has too many places even so is reduced further, to within 2, 4 or more metres. The distances
 * of the others stay as they were measured along the whole line.
 */
export function simplifyLine(line: CourseLine): CourseLine {
  for (let tolerance = 1; ; tolerance *= 2) {
    const simplified = simplifyWithin(line, tolerance)
    if (simplified.latitude.length <= MAX_PLACES) return simplified
  }
}

/** Simplifies a line; `tolerance` multiplies the largest deviations. */
function simplifyWithin(line: CourseLine, tolerance: number): CourseLine {
  const count = line.latitude.length
  const kept = new Uint8Array(count)
  const { x, y } = projectionFor(line).columns(line)
  const open: [from: number, to: number][] = []
  for (let from = 0; from < count - 1; from += PART_PLACES) open.push([from, Math.min(from + PART_PLACES, count - 1)])
  for (const [from, to] of open) {
    kept[from] = 1
    kept[to] = 1
  }
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const [from, to] = range
    const worst = worstBetween({ x, y, altitude: line.altitude }, from, to, tolerance)
    if (worst === undefined) continue
    kept[worst] = 1
    open.push([from, worst], [worst, to])
  }
  const only = (column: Float64Array) => column.filter((_, i) => kept[i] === 1)
  return {
    latitude: only(line.latitude),
    longitude: only(line.longitude),
    altitude: only(line.altitude),
    distanceM: only(line.distanceM),
  }
}

type Columns = { x: Float64Array; y: Float64Array; altitude: Float64Array }

/** Returns the place that deviates most from the straight line between two others; undefined within the tolerances. */
function worstBetween({ x, y, altitude }: Columns, from: number, to: number, tolerance: number): number | undefined {
  const [dx, dy] = [x[to] - x[from], y[to] - y[from]]
  const squared = dx * dx + dy * dy
  let worst: number | undefined
  let worstShare = tolerance
  for (let i = from + 1; i < to; i++) {
    const along = squared === 0 ? 0 : ((x[i] - x[from]) * dx + (y[i] - y[from]) * dy) / squared
    const f = Math.min(1, Math.max(0, along))
    const aside = Math.hypot(x[i] - x[from] - f * dx, y[i] - y[from] - f * dy)
    const above = Math.abs(altitude[i] - altitude[from] - f * (altitude[to] - altitude[from]))
    const share = Math.max(aside / TOLERANCE_METERS, Number.isNaN(above) ? 0 : above / ALTITUDE_TOLERANCE_METERS)
    if (share <= worstShare) continue
    worst = i
    worstShare = share
  }
  return worst
}
