import type { ValueColumn } from '../points/point-fields.ts'
import {
  activityTypeOfSport,
  type FilePoint,
  measuredTotals,
  newPointAllowance,
  PointCollector,
  plus,
  type RecordedTrack,
  readNumber,
  readTime,
  readTitle,
  type TotalsInFile,
} from './recorded-track.ts'
import { walkXml, type XmlElement } from './walk-xml.ts'

/**
 * Names of the values of a point, in Garmin's Training Center Database v2 its ActivityExtension v2, and our exports.
 */
const POINT_VALUES = new Map<string, ValueColumn>([
  ['LatitudeDegrees', 'latitude'],
  ['LongitudeDegrees', 'longitude'],
  ['AltitudeMeters', 'altitude'],
  ['Speed', 'speedMps'],
  ['heading', 'heading'],
  ['accuracy', 'accuracy'],
  ['battery', 'battery'],
])

type OpenActivity = {
  points: PointCollector
  sport: string | undefined
  /** Programs that know titles write them here; a note of several lines is none. */
  notes: string | undefined
  offsetMin: number | undefined
  totals: TotalsInFile
}

/**
 * Reads the activities of a TCX file; the laps of each add up to its totals. Courses are planned and not recorded, and
 * are skipped, as are points without a position, which have readings of other sensors.
 * @throws ImportFileError
 */
export function readTcx(bytes: Uint8Array): RecordedTrack[] {
  const activities: OpenActivity[] = []
  const allowance = newPointAllowance()
  let point: FilePoint = {}
  walkXml(bytes, 'TrainingCenterDatabase', {
    open({ name, attributes }) {
      if (name === 'Trackpoint') point = {}
      if (name !== 'Activity') return
      const points = new PointCollector(allowance)
      activities.push({ points, sport: attributes.get('Sport'), notes: undefined, offsetMin: undefined, totals: {} })
    },
    close(element, parents) {
      const activity = activities.at(-1)
      if (activity === undefined || !parents.includes('Activity')) return
      if (element.name === 'Trackpoint') addPoint(activity, point)
      else if (parents.includes('Trackpoint')) readPointValue(element, point, activity)
      else if (parents.at(-1) === 'Activity' && element.name === 'Notes') activity.notes = element.text
      else if (parents.at(-1) === 'Lap') addLapTotal(element, activity.totals)
    },
  })
  return activities.map(recorded)
}

function addPoint({ points }: OpenActivity, point: FilePoint): void {
  if (point.latitude !== undefined || point.longitude !== undefined) points.add(point)
}

function readPointValue({ name, text }: XmlElement, point: FilePoint, activity: OpenActivity): void {
  if (name === 'Time') {
    const time = readTime(text)
    point.timeMs = time?.timeMs
    if (activity.points.count === 0) activity.offsetMin = time?.offsetMin
  }
  if (name === 'origin') point.origin = text
  const column = POINT_VALUES.get(name)
  if (column !== undefined) point[column] = readNumber(text)
}

/** Adds a total of a lap. The file has the moving time of laps and not the elapsed time, which their points give. */
function addLapTotal({ name, text }: XmlElement, totals: TotalsInFile): void {
  const value = readNumber(text)
  if (name === 'DistanceMeters') totals.distance_meters = plus(totals.distance_meters, value)
  if (name === 'MaximumSpeed') totals.max_speed_mps = Math.max(totals.max_speed_mps ?? 0, value ?? 0)
}

function recorded({ points, sport, notes, offsetMin, totals }: OpenActivity): RecordedTrack {
  return {
    title: notes?.includes('\n') ? undefined : readTitle(notes),
    activityType: activityTypeOfSport(sport),
    offsetMin,
    totals: measuredTotals(totals),
    points: points.points(),
    leftOutCount: points.leftOutCount,
  }
}
