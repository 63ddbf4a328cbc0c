import { formatDateTime } from '#platform/time/date-time.ts'
import { VALUE_FIELDS, type ValueColumn } from '../points/point-fields.ts'
import { fieldValue } from '../points/point-values.ts'
import { type AntimeridianCut, antimeridianCuts } from './antimeridian-cuts.ts'
import type { ExportedTrack, PointsPage } from './exported-track.ts'

/** The fields that are the coordinates of a position. */
const COORDINATES: readonly ValueColumn[] = ['longitude', 'latitude', 'altitude']
const PROPERTIES = VALUE_FIELDS.filter(({ column }) => !COORDINATES.includes(column))

type Line = { pages: readonly PointsPage[]; cuts: readonly AntimeridianCut[] }
/** Formats the entries of a list: that of a point, and that of a cut at one of its two sides. */
type Entries = { point(page: PointsPage, i: number): string; cut(cut: AntimeridianCut, side: number): string }

/**
 * Writes a track as one GeoJSON feature (RFC 7946), in pieces: a line, or several if it crosses the antimeridian
 * (3.1.9), a point for a single one, no geometry for none. Fields without a place in a position go under
 * `coordinateProperties`, with an entry for each position, as other converters write it (`times` is their name). The
 * positions of a cut were not recorded and have null. The points are held until the end, 65 bytes each.
 */
export async function* writeGeojson(track: ExportedTrack): AsyncGenerator<string> {
  const pages: PointsPage[] = []
  let count = 0
  for await (const page of track.pages) {
    pages.push(page)
    count += page.to - page.from
  }
  const line = { pages, cuts: antimeridianCuts(pages) }
  yield '{"type":"Feature","geometry":'
  yield* geometry(line, count)
  yield `,"properties":${properties(track)},"coordinateProperties":{`
  yield* lists(line)
  yield '}}}\n'
}

function* geometry(line: Line, count: number): Generator<string> {
  const entries: Entries = {
    point: ({ longitude, latitude, altitude }, i) => position(longitude[i], latitude[i], altitude[i]),
    cut: ({ latitude, altitude }, side) => position(side, latitude, altitude),
  }
  const first = line.pages.find(({ from, to }) => from < to)
  if (first === undefined) {
    yield 'null'
  } else if (count === 1) {
    yield `{"type":"Point","coordinates":${entries.point(first, first.from)}}`
  } else {
    yield `{"type":"${line.cuts.length > 0 ? 'MultiLineString' : 'LineString'}","coordinates":`
    yield* list(line, entries)
    yield '}'
  }
}

/** Returns the properties without the final brace. */
function properties({ id, title, activityType, startMs }: ExportedTrack): string {
  const named = { id, title: title.toWellFormed(), activity_type: activityType, start_ts: formatDateTime(startMs) }
  return JSON.stringify(named).slice(0, -1)
}

function position(longitude: number, latitude: number, altitude: number): string {
  return `[${longitude},${latitude}${Number.isNaN(altitude) ? '' : `,${altitude}`}]`
}

function* lists(line: Line): Generator<string> {
  yield '"times":'
  yield* list(line, { point: (page, i) => `"${formatDateTime(page.timeMs[i])}"`, cut: () => 'null' })
  for (const field of PROPERTIES) {
    yield `,"${field.key}":`
    yield* list(line, { point: (page, i) => JSON.stringify(fieldValue(page, i, field)), cut: () => 'null' })
  }
}

/** Writes one list, or a list of lists, one for each part, if the line is cut. */
function* list({ pages, cuts }: Line, { point, cut }: Entries): Generator<string> {
  const [open, close] = cuts.length > 0 ? ['[[', ']]'] : ['[', ']']
  yield open
  let index = 0
  let next = 0
  for (const page of pages) {
    let text = ''
    for (let i = page.from; i < page.to; i++, index++) {
      if (index > 0) text += ','
      if (cuts[next]?.index === index) {
        const { side } = cuts[next]
        text += `${cut(cuts[next], side)}],[${cut(cuts[next], -side)},`
        next++
      }
      text += point(page, i)
    }
    yield text
  }
  yield close
}
