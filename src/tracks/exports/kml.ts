import { formatDateTime } from '#platform/basics/time.ts'
import { fieldValue } from '../points/point-columns.ts'
import {
  EXPORTED_FIELDS,
  type NamedChoiceField,
  type NamedNumberField,
  type ValueColumn,
} from '../points/point-fields.ts'
import { type ExportedTrack, type PointSlice, plainDecimal, type StoredPage, slicesOf } from './exported-track.ts'
import { createPauseCuts, element, XML_DECLARATION } from './xml.ts'

const NAMESPACES = 'xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"'

/** The fields that `gx:coord` holds. All others become arrays beside the positions. */
const COORDINATES: readonly ValueColumn[] = ['longitude', 'latitude', 'altitude']
const ARRAYS: readonly ArrayField[] = EXPORTED_FIELDS.filter(({ column }) => !COORDINATES.includes(column))

type ArrayField = NamedNumberField | NamedChoiceField
/** The points between two pauses. */
type Segment = StoredPage[]

/**
 * Writes a track as KML 2.2 with Google's extension `gx:Track`, in pieces. Each pause begins a new track, and
 * programs do not join them. An absent altitude is absent from its position too; other absent values are
 * empty. The elements stand in columns, as the schema of the extension orders them. Each column is a pass
 * over the points, which are held as stored.
 */
export async function* writeKml(track: ExportedTrack): AsyncGenerator<string> {
  const collected = new Segments(track)
  for await (const page of track.pages) {
    collected.add(page)
    yield ''
  }
  const { segments, fields } = collected
  yield `${XML_DECLARATION}<kml ${NAMESPACES}>\n<Document>\n${element('name', track.title)}\n${schema(fields)}`
  yield `<Placemark>\n${element('name', track.title)}\n<ExtendedData><Data name="activity_type">`
  yield `${element('value', track.activityType)}</Data></ExtendedData>\n`
  yield '<gx:MultiTrack>\n<gx:interpolate>0</gx:interpolate>\n'
  for (const segment of segments) yield* writeSegment(segment, fields)
  yield '</gx:MultiTrack>\n</Placemark>\n</Document>\n</kml>\n'
}

/** Collects the points of a track between its pauses, and the fields that at least one of them has. */
class Segments {
  readonly #isAfterPause: (timeMs: number) => boolean
  readonly #segments: [Segment, ...Segment[]] = [[]]
  readonly #found = new Set<ArrayField>()

  constructor({ pauses }: ExportedTrack) {
    this.#isAfterPause = createPauseCuts(pauses)
  }

  get segments(): readonly Segment[] {
    return this.#segments
  }

  get fields(): readonly ArrayField[] {
    return ARRAYS.filter((field) => this.#found.has(field))
  }

  add(page: StoredPage): void {
    let { from } = page
    for (const points of slicesOf(page)) {
      for (const field of ARRAYS) if (!this.#found.has(field) && hasAny(points, field)) this.#found.add(field)
      for (let i = points.from; i < points.to; i++) {
        if (!this.#isAfterPause(points.timeMs[i])) continue
        if (i > from) this.#segments.at(-1)!.push({ ...page, from, to: i })
        this.#segments.push([])
        from = i
      }
    }
    this.#segments.at(-1)!.push({ ...page, from })
  }
}

function hasAny(points: PointSlice, field: ArrayField): boolean {
  for (let i = points.from; i < points.to; i++) if (fieldValue(points, i, field) !== null) return true
  return false
}

function schema(fields: readonly ArrayField[]): string {
  const entries = fields.map(
    ({ key, kind }) => `<gx:SimpleArrayField name="${key}" type="${kind === 'number' ? 'double' : 'string'}"/>`,
  )
  return `<Schema id="point">${entries.join('')}</Schema>\n`
}

function* writeSegment(segment: Segment, fields: readonly ArrayField[]): Generator<string> {
  yield '<gx:Track>\n'
  yield* column(segment, ({ timeMs }, i) => `<when>${formatDateTime(timeMs[i])}</when>\n`)
  yield* column(segment, (points, i) => `<gx:coord>${position(points, i)}</gx:coord>\n`)
  yield '<ExtendedData><SchemaData schemaUrl="#point">\n'
  for (const field of fields) {
    yield `<gx:SimpleArrayData name="${field.key}">\n`
    yield* column(segment, (points, i) => `${element('gx:value', fieldValue(points, i, field)) || '<gx:value/>'}\n`)
    yield '</gx:SimpleArrayData>\n'
  }
  yield '</SchemaData></ExtendedData>\n</gx:Track>\n'
}

function* column(segment: Segment, entry: (points: PointSlice, i: number) => string): Generator<string> {
  for (const page of segment) {
    for (const points of slicesOf(page)) {
      let text = ''
      for (let i = points.from; i < points.to; i++) text += entry(points, i)
      yield text
    }
  }
}

function position({ longitude, latitude, altitude }: PointSlice, i: number): string {
  const place = `${plainDecimal(longitude[i])} ${plainDecimal(latitude[i])}`
  return Number.isNaN(altitude[i]) ? place : `${place} ${plainDecimal(altitude[i])}`
}
