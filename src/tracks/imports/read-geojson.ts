import { AppError } from '#platform/basics/errors.ts'
import { parseJson } from '#platform/http/parse-json.ts'
import { VALUE_FIELDS } from '../points/point-fields.ts'
import {
  type FilePoint,
  ImportFileError,
  newPointAllowance,
  type PointAllowance,
  PointCollector,
  type RecordedTrack,
  readTime,
  recordedTrack,
} from './recorded-track.ts'

/**
 * Most values of a file, and most with a name, which bound the memory of the parser: JSON.parse cannot be stopped at
 * the memory limit of its thread. The points of a file of 64 MiB have some five million values, in a few members.
 */
const MAX_VALUES = 8_000_000
const MAX_MEMBERS = 1_000_000
/** Names under which programs write times: ours and newer versions of togeojson, and older ones. */
const TIME_LISTS = ['times', 'coordTimes']

type Members = Record<string, unknown>
/** The positions of a feature, and its other lists with an entry for each of them. */
type OpenFeature = { positions: readonly unknown[]; lists: ReadonlyMap<string, readonly unknown[]> }

/**
 * Reads the lines of a GeoJSON file (RFC 7946) whose properties have a list of times. Each feature is a track; those
 * without times are skipped. @throws ImportFileError
 */
export function readGeojson(bytes: Uint8Array): RecordedTrack[] {
  const document = parse(bytes)
  const allowance = newPointAllowance()
  if (!isMembers(document)) throw new ImportFileError('malformed', 'is no GeoJSON object')
  const features = document.type === 'FeatureCollection' ? document.features : [document]
  if (!Array.isArray(features)) throw new ImportFileError('malformed', 'is a FeatureCollection without features')
  return features.filter(isLineFeature).map((feature) => recorded(feature, allowance))
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      maxValues: MAX_VALUES,
      maxMembers: MAX_MEMBERS,
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ImportFileError('malformed', error.message.replace(/^The body /, '').replace(/\.$/, ''))
  }
}

type LineFeature = { geometry: Members & { coordinates: unknown[] }; properties: Members }

function isLineFeature(feature: unknown): feature is LineFeature {
  if (!isMembers(feature) || feature.type !== 'Feature' || !isMembers(feature.properties)) return false
  const { geometry } = feature
  return isMembers(geometry) && Array.isArray(geometry.coordinates) && typeof geometry.type === 'string'
}

function recorded({ geometry, properties }: LineFeature, allowance: PointAllowance): RecordedTrack {
  const points = new PointCollector(allowance)
  const { positions, lists } = openFeature(geometry, properties)
  const times = TIME_LISTS.map((name) => lists.get(name)).find((list) => list !== undefined) ?? []
  let offsetMin: number | undefined
  for (const [i, position] of positions.entries()) {
    if (isCut(position, times[i])) continue
    const time = readTime(textOf(times[i]))
    if (points.count === 0) offsetMin = time?.offsetMin
    points.add({ ...valuesOf(lists, i), ...placeOf(position), timeMs: time?.timeMs })
  }
  const { name, title, activity_type, type } = properties
  return recordedTrack(points, {
    title: textOf(title) ?? textOf(name),
    sport: textOf(activity_type) ?? textOf(type),
    offsetMin,
  })
}

/** Returns positions and lists without the parts of a `MultiLineString`. @throws ImportFileError if lengths differ */
function openFeature({ type, coordinates }: LineFeature['geometry'], properties: Members): OpenFeature {
  const isMulti = type === 'MultiLineString'
  const isLine = isMulti || type === 'LineString' || type === 'Point'
  const positions = !isLine ? [] : isMulti ? coordinates.flat(1) : type === 'Point' ? [coordinates] : coordinates
  const { coordinateProperties } = properties
  const all = { ...properties, ...(isMembers(coordinateProperties) ? coordinateProperties : {}) }
  const named = Object.entries(all).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const lists = new Map(named.map(([name, list]) => [name, isMulti ? list.flat(1) : list]))
  for (const name of TIME_LISTS) {
    const times = lists.get(name)
    if (times === undefined || times.length === positions.length) continue
    throw new ImportFileError('malformed', `has a line with ${times.length} ${name} and ${positions.length} positions`)
  }
  return { positions, lists }
}

function placeOf(position: unknown): FilePoint {
  if (!Array.isArray(position)) return {}
  const [longitude, latitude, altitude] = position
  return { longitude, latitude, altitude }
}

function valuesOf(lists: OpenFeature['lists'], i: number): FilePoint {
  const values: FilePoint = {}
  for (const { key, column } of VALUE_FIELDS) {
    const value = lists.get(key)?.[i]
    if (typeof value === 'number' || typeof value === 'string') values[column] = value
  }
  return values
}

/** Tells whether a position was added where a line is cut at the antimeridian (RFC 7946, 3.1.9), and not recorded. */
function isCut(position: unknown, time: unknown): boolean {
  return time === null && Array.isArray(position) && (position[0] === 180 || position[0] === -180)
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
