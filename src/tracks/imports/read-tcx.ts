import { walkXml, type XmlElement } from '#platform/basics/walk-xml.ts'
import {
  type FilePoint,
  newPointAllowance,
  PointCollector,
  type PointElements,
  plus,
  type RecordedTrack,
  readNumber,
  readPointElement,
  recordedTrack,
  type TotalsInFile,
} from './recorded-track.ts'

/** Elements of a point, in Garmin's Training Center Database v2, its ActivityExtension v2, and our exports. */
const POINT: PointElements = new Map([
  ['Time', 'timeMs'],
  ['LatitudeDegrees', 'latitude'],
  ['LongitudeDegrees', 'longitude'],
  ['AltitudeMeters', 'altitude'],
  ['Speed', 'speedMps'],
  ['heading', 'heading'],
  ['accuracy', 'accuracy'],
  ['battery', 'battery'],
  ['origin', 'origin'],
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
      else if (parents.includes('Trackpoint')) readPointElement(element, POINT, point, activity)
      else if (parents.at(-1) === 'Activity' && element.name === 'Notes') activity.notes = element.text
      else if (parents.at(-1) === 'Lap') addLapTotal(element, activity.totals)
    },
  })
  return activities.map(({ points, notes, ...rest }) => {
    const title = notes?.includes('\n') ? undefined : notes
    return recordedTrack(points, { title, ...rest })
  })
}

function addPoint({ points }: OpenActivity, point: FilePoint): void {
  if (point.latitude !== undefined || point.longitude !== undefined) points.add(point)
}

/** Adds a total of a lap. The file has the moving time of laps and not the elapsed time, which their points give. */
function addLapTotal({ name, text }: XmlElement, totals: TotalsInFile): void {
  const value = readNumber(text)
  if (name === 'DistanceMeters') totals.distance_meters = plus(totals.distance_meters, value)
  if (name === 'MaximumSpeed') totals.max_speed_mps = Math.max(totals.max_speed_mps ?? 0, value ?? 0)
}
