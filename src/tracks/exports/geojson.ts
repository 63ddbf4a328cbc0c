import { formatDateTime } from '#platform/basics/time.ts'
import { fieldValue } from '../points/point-columns.ts'
import { EXPORTED_FIELDS, type ValueColumn } from '../points/point-fields.ts'
import { type ExportedTrack, type PointSlice, type StoredPage, slicesOf } from './exported-track.ts'

/** The fields that are the coordinates of a position. */
const COORDINATES: readonly ValueColumn[] = ['longitude', 'latitude', 'altitude']
const PROPERTIES = EXPORTED_FIELDS.filter(({ column }) => !COORDINATES.includes(column))

type Line = { pages: readonly StoredPage[]; cuts: readonly AntimeridianCut[] }
/** Formats the entries of a list: one for a point, and one for a cut at one of its two sides. */
type Entries = { point(points: PointSlice, i: number): string; cut(cut: AntimeridianCut, side: number): string }

/**
 * Writes a track as one GeoJSON feature (RFC 7946), in pieces: a line, or several if it crosses the antimeridian
 * (3.1.9), a point for a single one, no geometry for none. Fields without a place in a position go under
 * `coordinateProperties`, with an entry for each position, as other converters write it (`times` is their name). The
 * positions of a cut were not recorded and have null. Each list is a pass over the points, which are held as stored, so
 * that all lists have the same ones.
 */
export async function* writeGeojson(track: ExportedTrack): AsyncGenerator<string> {
  const pages: StoredPage[] = []
  const cuts = new AntimeridianCuts()
  for await (const page of track.pages) {
    pages.push(page)
    for (const points of slicesOf(page)) cuts.add(points)
    yield ''
  }
  const line = { pages, cuts: cuts.found }
  yield '{"type":"Feature","geometry":'
  yield* geometry(line, cuts.pointCount)
  yield `,"properties":${properties(track)},"coordinateProperties":{`
  yield* lists(line)
  yield '}}}\n'
}

function* geometry(line: Line, count: number): Generator<string> {
  const entries: Entries = {
    point: ({ longitude, latitude, altitude }, i) => position(longitude[i], latitude[i], altitude[i]),
    cut: ({ latitude, altitude }, side) => position(side, latitude, altitude),
  }
  if (count === 0) {
    yield 'null'
  } else if (count === 1) {
    const [points] = slicesOf(line.pages[0])
    yield `{"type":"Point","coordinates":${entries.point(points, points.from)}}`
  } else {
    yield `{"type":"${line.cuts.length > 0 ? 'MultiLineString' : 'LineString'}","coordinates":`
    yield* list(line, entries)
    yield '}'
  }
}

/** Returns the properties without the final brace. */
function properties({ id, title, activityType, startMs, totals }: ExportedTrack): string {
  const named = {
    id,
    title: title.toWellFormed(),
    activity_type: activityType,
    start_ts: formatDateTime(startMs),
    // Absent figures are undefined, which JSON leaves out.
    elevation_gain_m: totals.ascentMeters,
    elevation_gain_interval_m: totals.ascentInterval,
    elevation_loss_m: totals.descentMeters,
    elevation_loss_interval_m: totals.descentInterval,
  }
  return JSON.stringify(named).slice(0, -1)
}

function position(longitude: number, latitude: number, altitude: number): string {
  return `[${longitude},${latitude}${Number.isNaN(altitude) ? '' : `,${altitude}`}]`
}

function* lists(line: Line): Generator<string> {
  yield '"times":'
  yield* list(line, { point: ({ timeMs }, i) => `"${formatDateTime(timeMs[i])}"`, cut: () => 'null' })
  for (const field of PROPERTIES) {
    yield `,"${field.key}":`
    yield* list(line, { point: (points, i) => JSON.stringify(fieldValue(points, i, field)), cut: () => 'null' })
  }
}

/** Writes one list, or a list of lists, one for each part, if the line is cut. */
function* list({ pages, cuts }: Line, { point, cut }: Entries): Generator<string> {
  const [open, close] = cuts.length > 0 ? ['[[', ']]'] : ['[', ']']
  yield open
  let index = 0
  let next = 0
  for (const points of slicesOfAll(pages)) {
    let text = ''
    for (let i = points.from; i < points.to; i++, index++) {
      if (index > 0) text += ','
      if (cuts[next]?.index === index) {
        const { side } = cuts[next]
        text += `${cut(cuts[next], side)}],[${cut(cuts[next], -side)},`
        next++
      }
      text += point(points, i)
    }
    yield text
  }
  yield close
}

function* slicesOfAll(pages: readonly StoredPage[]): Generator<PointSlice> {
  for (const page of pages) yield* slicesOf(page)
}

/** A crossing of the antimeridian, between a point and the one before it. */
type AntimeridianCut = {
  /** Index in the track of the point after the cut, from 0. */
  index: number
  /** Side from which the line comes: 180 eastwards, -180 westwards. */
  side: 180 | -180
  latitude: number
  /** Meters; NaN when one of the two points has none. */
  altitude: number
}

type Place = { longitude: number; latitude: number; altitude: number }

/**
 * Finds the places at which to cut a track, so that no part of it crosses the antimeridian (RFC 7946, 3.1.9). Between
 * two points the track takes the shorter way round, in a straight line on the map.
 */
class AntimeridianCuts {
  readonly #found: AntimeridianCut[] = []
  #before: Place | undefined
  #count = 0

  /** The cuts of the points so far, in their order. */
  get found(): readonly AntimeridianCut[] {
    return this.#found
  }

  /** Number of points so far. */
  get pointCount(): number {
    return this.#count
  }

  /** Takes the next points of the track. */
  add({ longitude, latitude, altitude, from, to }: PointSlice): void {
    for (let i = from; i < to; i++, this.#count++) {
      const place = { longitude: longitude[i], latitude: latitude[i], altitude: altitude[i] }
      if (this.#before !== undefined && Math.abs(place.longitude - this.#before.longitude) > 180) {
        this.#found.push({ index: this.#count, ...cutBetween(this.#before, place) })
      }
      this.#before = place
    }
  }
}

function cutBetween(before: Place, after: Place): Omit<AntimeridianCut, 'index'> {
  const side = before.longitude > 0 ? 180 : -180
  const width = after.longitude + 2 * side - before.longitude
  const share = width === 0 ? 0 : (side - before.longitude) / width
  return {
    side,
    latitude: before.latitude + share * (after.latitude - before.latitude),
    altitude: before.altitude + share * (after.altitude - before.altitude),
  }
}
