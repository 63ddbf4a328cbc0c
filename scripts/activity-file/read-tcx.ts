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

/** Names of the values of a point, in Garmin's Training Center Database v2 and its ActivityExtension v2. */
const POINT_VALUES = new Map<string, 'latitude' | 'longitude' | 'altitude' | 'speed_mps'>([
  ['LatitudeDegrees', 'latitude'],
  ['LongitudeDegrees', 'longitude'],
  ['AltitudeMeters', 'altitude'],
  ['Speed', 'speed_mps'],
])

/** Reads the track points of a TCX file; its laps add up to the totals. Throws when it is not well-formed. */
export function readTcx(bytes: Uint8Array): ActivityFile {
  const points: ActivityPoint[] = []
  const totals: ActivityTotals = {}
  let values: Partial<ActivityPoint> = {}
  let sport: string | undefined
  let device = ''
  walkXml(bytes, 'TrainingCenterDatabase', {
    open: ({ name, attributes }) => {
      if (name === 'Activity') sport ??= attributes.get('Sport')
      if (name === 'Trackpoint') values = {}
    },
    close: (element, parents) => {
      const parent = parents.at(-1)
      if (element.name === 'Trackpoint') points.push(...toPoint(values))
      else if (parents.includes('Trackpoint')) readPointValue(element, values)
      else if (parent === 'Lap') addLapTotal(element, totals)
      else if (parent === 'Creator' && element.name === 'Name') device = element.text
    },
  })
  return { points, activityType: activityTypeOf(sport), totals, device }
}

function readPointValue({ name, text }: XmlElement, values: Partial<ActivityPoint>): void {
  if (name === 'Time') values.timestamp = readTimestamp(text)
  const field = POINT_VALUES.get(name)
  const value = readNumber(text)
  if (field !== undefined && value !== undefined) values[field] = value
}

function addLapTotal({ name, text }: XmlElement, totals: ActivityTotals): void {
  const value = readNumber(text)
  if (value === undefined) return
  if (name === 'TotalTimeSeconds') totals.timerSec = (totals.timerSec ?? 0) + value
  if (name === 'DistanceMeters') totals.distanceMeters = (totals.distanceMeters ?? 0) + value
  if (name === 'MaximumSpeed' && value > 0) totals.maxSpeedMps = Math.max(totals.maxSpeedMps ?? 0, value)
}

function toPoint({ latitude, longitude, timestamp, ...values }: Partial<ActivityPoint>): ActivityPoint[] {
  if (latitude === undefined || longitude === undefined || timestamp === undefined) return []
  return isOnGlobe(latitude, longitude) ? [{ ...values, latitude, longitude, timestamp }] : []
}
