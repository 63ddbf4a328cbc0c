import { formatDateTime } from '../domain/date-time.ts'
import { ORIGINS } from '../points/point-columns.ts'
import type { ExportedTrack, PointsPage } from './exported-track.ts'

/**
 * A track as one GeoJSON feature (RFC 7946), in pieces: a line, a point where it has only one, no geometry without any.
 * What a position cannot carry stands beside it under `coordinateProperties`, an entry for each position, as the
 * converters of the field write it (`times` is theirs). The points are held until then, 65 bytes each.
 */
export async function* writeGeojson(track: ExportedTrack): AsyncGenerator<string> {
  const pages: PointsPage[] = []
  let count = 0
  let start = ''
  for await (const page of track.pages) {
    let text = ''
    for (let i = page.from; i < page.to; i++, count++) {
      // Only with a second point is it known that there is a line.
      if (count === 1) text += `{"type":"Feature","geometry":{"type":"LineString","coordinates":[${start}`
      if (count === 0) start = position(page, i)
      else text += `,${position(page, i)}`
    }
    yield text
    pages.push(page)
  }
  if (count === 0) yield '{"type":"Feature","geometry":null'
  else if (count === 1) yield `{"type":"Feature","geometry":{"type":"Point","coordinates":${start}}`
  else yield ']}'
  yield `,"properties":${properties(track)},"coordinateProperties":{`
  yield* lists(pages)
  yield '}}}\n'
}

/** Without the brace at its end: the lists are the last of the properties. */
function properties({ id, title, activityType, startMs }: ExportedTrack): string {
  const named = { id, title: title.toWellFormed(), activity_type: activityType, start_ts: formatDateTime(startMs) }
  return JSON.stringify(named).slice(0, -1)
}

function position(page: PointsPage, i: number): string {
  const { longitude, latitude, altitude } = page
  const height = Number.isNaN(altitude[i]) ? '' : `,${altitude[i]}`
  return `[${longitude[i]},${latitude[i]}${height}]`
}

function* lists(pages: readonly PointsPage[]): Generator<string> {
  const known = (value: number) => (Number.isNaN(value) ? 'null' : String(value))
  yield* list('"times"', pages, (page, i) => `"${formatDateTime(page.timeMs[i])}"`)
  yield* list(',"accuracy"', pages, (page, i) => known(page.accuracy[i]))
  yield* list(',"speed_mps"', pages, (page, i) => known(page.speedMps[i]))
  yield* list(',"heading"', pages, (page, i) => known(page.heading[i]))
  yield* list(',"battery"', pages, (page, i) => known(page.battery[i]))
  yield* list(',"origin"', pages, (page, i) => JSON.stringify(ORIGINS[page.origin[i]] ?? null))
}

function* list(name: string, pages: readonly PointsPage[], write: (page: PointsPage, i: number) => string) {
  yield `${name}:[`
  let separator = ''
  for (const page of pages) {
    let text = ''
    for (let i = page.from; i < page.to; i++) {
      text += separator + write(page, i)
      separator = ','
    }
    yield text
  }
  yield ']'
}
