import { formatDateTime } from '#platform/basics/time.ts'
import type { ActivityType, Pause } from '../model/track-state.ts'
import { fieldValue } from '../points/point-columns.ts'
import {
  EXPORTED_FIELDS,
  type NamedChoiceField,
  type NamedNumberField,
  type ValueColumn,
} from '../points/point-fields.ts'
import {
  type ExportedTrack,
  type PointSlice,
  plainDecimal,
  pointSlices,
  type StoredPage,
  slicesOf,
} from './exported-track.ts'

/** Namespace of the fields that a format has no name for. */
const TRACKPRESS_NAMESPACE = 'xmlns:trackpress="urn:trackpress:point:1"'

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Escapes text for XML 1.0, which cannot contain most control characters in any spelling (2.2); they become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

/** Returns an element with a value; nothing for null and NaN, which mean an absent field. */
function element(name: string, value: number | string | null): string {
  if (value === null || Number.isNaN(value)) return ''
  return `<${name}>${typeof value === 'number' ? plainDecimal(value) : escapeXml(value)}</${name}>`
}

/** Returns a longitude in degrees. GPX and TCX have no 180, only the -180 of the same meridian. */
function longitudeText(longitude: number): string {
  return plainDecimal(longitude === 180 ? -180 : longitude)
}

/**
 * Returns a function that writes those fields of a point that a format has no place for as elements of our own
 * namespace, under their names in the API.
 * @param standard the columns that the format has a place for
 */
function createOwnFields(standard: readonly ValueColumn[]): (points: PointSlice, i: number) => string {
  const own: readonly (NamedNumberField | NamedChoiceField)[] = EXPORTED_FIELDS.filter(
    ({ column }) => !standard.includes(column),
  )
  return (points, i) => {
    let text = ''
    for (const field of own) text += element(`trackpress:${field.key}`, fieldValue(points, i, field))
    return text
  }
}

/**
 * Yields the points of a track, some at a time.
 * @param atPause text between two points with a pause between them
 * @param write writes a point
 */
async function* writePoints(
  { pauses, pages }: ExportedTrack,
  atPause: string,
  write: (points: PointSlice, i: number) => string,
): AsyncGenerator<string> {
  const isAfterPause = createPauseCuts(pauses)
  for await (const points of pointSlices(pages)) {
    let text = ''
    for (let i = points.from; i < points.to; i++) {
      if (isAfterPause(points.timeMs[i])) text += atPause
      text += write(points, i)
    }
    yield text
  }
}

/**
 * Returns a function that takes the times of a track's points in their order, and tells for each whether a pause began
 * or ended between it and the point before. There, programs must not join the points. A pause causes at most two cuts,
 * however many points a phone sends during it.
 */
export function createPauseCuts(pauses: readonly Pause[]): (timeMs: number) => boolean {
  const lasting = pauses.filter(({ fromMs, toMs }) => fromMs < toMs)
  let ended = 0
  let lastPart: number | undefined
  return (timeMs) => {
    while (ended < lasting.length && lasting[ended].toMs <= timeMs) ended++
    const isPaused = ended < lasting.length && lasting[ended].fromMs < timeMs
    const part = 2 * ended + (isPaused ? 1 : 0)
    const isCut = lastPart !== undefined && part !== lastPart
    lastPart = part
    return isCut
  }
}

/** Namespaces of the extensions: speed and course as many programs read them (Garmin), our own for all other fields. */
const GPX_NAMESPACES = [
  'xmlns="http://www.topografix.com/GPX/1/1"',
  'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"',
  TRACKPRESS_NAMESPACE,
].join(' ')

const ownFieldsOfGpx = createOwnFields(['latitude', 'longitude', 'altitude', 'speedMps', 'heading'])

/**
 * Writes a track as GPX 1.1 (https://www.topografix.com/GPX/1/1/), in pieces. Each pause begins a new segment, because
 * programs join the points of a segment.
 */
export async function* writeGpx(track: ExportedTrack): AsyncGenerator<string> {
  yield `${XML_DECLARATION}<gpx version="1.1" creator="Trackpress" ${GPX_NAMESPACES}>\n`
  yield `<metadata><name>${escapeXml(track.title)}</name><time>${formatDateTime(track.startMs)}</time></metadata>\n`
  yield `<trk><name>${escapeXml(track.title)}</name><type>${escapeXml(track.activityType)}</type>\n<trkseg>\n`
  yield* writePoints(track, '</trkseg>\n<trkseg>\n', gpxPoint)
  yield '</trkseg>\n</trk>\n</gpx>\n'
}

function gpxPoint(points: PointSlice, i: number): string {
  const place = `lat="${plainDecimal(points.latitude[i])}" lon="${longitudeText(points.longitude[i])}"`
  const time = `<time>${formatDateTime(points.timeMs[i])}</time>`
  return `<trkpt ${place}>${element('ele', points.altitude[i])}${time}${gpxExtensions(points, i)}</trkpt>\n`
}

function gpxExtensions(points: PointSlice, i: number): string {
  const motion = element('gpxtpx:speed', points.speedMps[i]) + element('gpxtpx:course', course(points.heading[i]))
  const own = ownFieldsOfGpx(points, i)
  const all = motion === '' ? own : `<gpxtpx:TrackPointExtension>${motion}</gpxtpx:TrackPointExtension>${own}`
  return all === '' ? '' : `<extensions>${all}</extensions>`
}

/** Degrees of GPX are below 360. */
function course(heading: number): number {
  return heading === 360 ? 0 : heading
}

const TCX_NAMESPACES = [
  'xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"',
  'xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2"',
  TRACKPRESS_NAMESPACE,
].join(' ')

/** TCX has names for two sports. */
const SPORTS: Record<ActivityType, string> = { run: 'Running', bike: 'Biking', walk: 'Other', hike: 'Other' }

const ownFieldsOfTcx = createOwnFields(['latitude', 'longitude', 'altitude', 'speedMps'])

/**
 * Writes a track with points as TCX, version 2 of the Training Center Database, in pieces: one activity with one lap.
 * Each pause begins a new track within the lap. The title is its note.
 */
export async function* writeTcx(track: ExportedTrack): AsyncGenerator<string> {
  const start = formatDateTime(track.startMs)
  yield `${XML_DECLARATION}<TrainingCenterDatabase ${TCX_NAMESPACES}>\n<Activities>\n`
  yield `<Activity Sport="${SPORTS[track.activityType]}">\n<Id>${start}</Id>\n<Lap StartTime="${start}">\n`
  yield `${lapHead(track)}<Track>\n`
  yield* writePoints(track, '</Track>\n<Track>\n', tcxPoint)
  yield `</Track>\n</Lap>\n<Notes>${escapeXml(track.title)}</Notes>\n</Activity>\n</Activities>\n`
  yield '</TrainingCenterDatabase>\n'
}

/** Calories are required; devices that do not count them write 0. */
function lapHead({ totals }: ExportedTrack): string {
  const time = element('TotalTimeSeconds', totals.durationSec ?? 0)
  const distance = element('DistanceMeters', totals.distanceMeters ?? 0)
  const maxSpeed = element('MaximumSpeed', totals.maxSpeedMps ?? null)
  const manner = '<Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod>'
  return `${time}${distance}${maxSpeed}<Calories>0</Calories>${manner}\n`
}

function tcxPoint(points: PointSlice, i: number): string {
  const latitude = `<LatitudeDegrees>${plainDecimal(points.latitude[i])}</LatitudeDegrees>`
  const longitude = `<LongitudeDegrees>${longitudeText(points.longitude[i])}</LongitudeDegrees>`
  const time = `<Time>${formatDateTime(points.timeMs[i])}</Time>`
  const place = `<Position>${latitude}${longitude}</Position>${element('AltitudeMeters', points.altitude[i])}`
  return `<Trackpoint>${time}${place}${tcxExtensions(points, i)}</Trackpoint>\n`
}

function tcxExtensions(points: PointSlice, i: number): string {
  const speed = element('ns3:Speed', points.speedMps[i])
  const all = (speed === '' ? '' : `<ns3:TPX>${speed}</ns3:TPX>`) + ownFieldsOfTcx(points, i)
  return all === '' ? '' : `<Extensions>${all}</Extensions>`
}

const KML_NAMESPACES = 'xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"'

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
  yield `${XML_DECLARATION}<kml ${KML_NAMESPACES}>\n<Document>\n${element('name', track.title)}\n${schema(fields)}`
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
