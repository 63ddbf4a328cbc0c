import { walkXml, type XmlElement } from '../../src/platform/basics/walk-xml.ts'
import { readNumber } from '../../src/tracks/imports/recorded-track.ts'
import {
  type ActivityFile,
  type ActivityPoint,
  type ActivityTotals,
  activityTypeOf,
  isOnGlobe,
  readTimestamp,
} from './activity-file.ts'

/** Names of the values of a point, in GPX 1.0, GPX 1.1 and the extensions of Garmin and others. */
const POINT_VALUES = new Map<string, 'altitude' | 'speed_mps' | 'heading'>([
  ['ele', 'altitude'],
  ['speed', 'speed_mps'],
  ['course', 'heading'],
])

/** Garmin's TrackStatsExtension. */
const TOTALS = new Map<string, keyof ActivityTotals>([
  ['Distance', 'distanceMeters'],
  ['TotalElapsedTime', 'elapsedSec'],
  ['TimerTime', 'timerSec'],
  ['Ascent', 'ascentMeters'],
  ['Descent', 'descentMeters'],
  ['MaxSpeed', 'maxSpeedMps'],
])

/** Reads the track points of a GPX file, those of all tracks and segments. Throws when it is not well-formed. */
export function readGpx(bytes: Uint8Array): ActivityFile {
  const points: ActivityPoint[] = []
  const totals: ActivityTotals = {}
  let values: Partial<ActivityPoint> = {}
  let type: string | undefined
  let device = ''
  walkXml(bytes, 'gpx', {
    open: ({ name, attributes }) => {
      if (name === 'gpx') device = attributes.get('creator') ?? ''
      if (name === 'trkpt') values = {}
    },
    close: (element, parents) => {
      const parent = parents.at(-1)
      if (element.name === 'trkpt') points.push(...toPoint(element, values))
      else if (parents.includes('trkpt')) readPointValue(element, values)
      else if (element.name === 'type' && parent === 'trk') type ??= element.text
      else if (parent === 'TrackStatsExtension') readTotal(element, totals)
    },
  })
  return { points, activityType: activityTypeOf(type), totals, device }
}

function readPointValue({ name, text }: XmlElement, values: Partial<ActivityPoint>): void {
  if (name === 'time') values.timestamp = readTimestamp(text)
  const field = POINT_VALUES.get(name)
  const value = readNumber(text)
  if (field !== undefined && value !== undefined) values[field] = value
}

function readTotal({ name, text }: XmlElement, totals: ActivityTotals): void {
  const field = TOTALS.get(name)
  const value = readNumber(text)
  if (field !== undefined && value !== undefined) totals[field] = value
}

function toPoint({ attributes }: XmlElement, { timestamp, ...values }: Partial<ActivityPoint>): ActivityPoint[] {
  const latitude = readNumber(attributes.get('lat'))
  const longitude = readNumber(attributes.get('lon'))
  if (latitude === undefined || longitude === undefined || timestamp === undefined) return []
  return isOnGlobe(latitude, longitude) ? [{ ...values, latitude, longitude, timestamp }] : []
}
