import { readDecimal } from '#platform/basics/text.ts'
import { walkXml, XmlFileError } from '#platform/basics/walk-xml.ts'
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
    if (error instanceof XmlFileError && error.reason === 'unknown_format') return { problem: 'is no GPX file' }
    if (error instanceof XmlFileError || error instanceof CourseFileError) return { problem: error.message }
    throw error
  }
}

/** Most points of a course: 24 hours, one a second, and twice as many. Lines of planners have some thousands. */
const MAX_POINTS = 200_000
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
 * @throws XmlFileError for other files, CourseFileError for several tracks and for sizes that no course has
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
  return { name: name?.slice(0, 200) || null, line }
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
  let count = 0
  let place: Place | undefined
  walkXml(bytes, 'gpx', {
    open({ name, attributes }) {
      if (name === 'trk') found.tracks.push([])
      if (name === 'rte') found.routes.push([])
      const line = name === 'trkpt' ? found.tracks.at(-1) : name === 'rtept' ? found.routes.at(-1) : undefined
      if (line === undefined) return
      count++
      if (count > MAX_POINTS) throw new CourseFileError(`has more than ${MAX_POINTS} points`)
      place = readPlace(attributes, count)
      line.push(place)
    },
    close({ name, text }, parents) {
      const parent = parents.at(-1)
      if (name === 'ele' && place !== undefined) place.altitude = readAltitude(text)
      if (name === 'name' && (parent === 'trk' || parent === 'rte')) found.name ??= text
      if (name === 'trkpt' || name === 'rtept') place = undefined
    },
  })
  return found
}

function readPlace(attributes: ReadonlyMap<string, string>, count: number): Place {
  const [latitude, longitude] = [readNumber(attributes.get('lat')), readNumber(attributes.get('lon'))]
  const isOnGlobe = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  if (!isOnGlobe) throw new CourseFileError(`has no valid lat and lon in point ${count}`)
  return { latitude, longitude, altitude: Number.NaN }
}

function readNumber(text = ''): number {
  return readDecimal(text) ?? Number.NaN
}

function readAltitude(text: string): number {
  const meters = readNumber(text)
  return Math.abs(meters) < 20_000 ? meters : Number.NaN
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
