import { formatDateTime } from '#platform/basics/time.ts'
import type { ActivityType } from '../model/track-state.ts'
import { type ExportedTrack, type PointSlice, plainDecimal } from './exported-track.ts'
import {
  createOwnFields,
  element,
  escapeXml,
  longitudeText,
  TRACKPRESS_NAMESPACE,
  writePoints,
  XML_DECLARATION,
} from './xml.ts'

const NAMESPACES = [
  'xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"',
  'xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2"',
  TRACKPRESS_NAMESPACE,
].join(' ')

/** TCX has names for two sports. */
const SPORTS: Record<ActivityType, string> = { run: 'Running', bike: 'Biking', walk: 'Other', hike: 'Other' }

const ownFields = createOwnFields(['latitude', 'longitude', 'altitude', 'speedMps'])

/**
 * Writes a track with points as TCX, version 2 of the Training Center Database, in pieces: one activity with one lap.
 * Each pause begins a new track within the lap. The title is its note.
 */
export async function* writeTcx(track: ExportedTrack): AsyncGenerator<string> {
  const start = formatDateTime(track.startMs)
  yield `${XML_DECLARATION}<TrainingCenterDatabase ${NAMESPACES}>\n<Activities>\n`
  yield `<Activity Sport="${SPORTS[track.activityType]}">\n<Id>${start}</Id>\n<Lap StartTime="${start}">\n`
  yield `${lapHead(track)}<Track>\n`
  yield* writePoints(track, '</Track>\n<Track>\n', trackPoint)
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

function trackPoint(points: PointSlice, i: number): string {
  const latitude = `<LatitudeDegrees>${plainDecimal(points.latitude[i])}</LatitudeDegrees>`
  const longitude = `<LongitudeDegrees>${longitudeText(points.longitude[i])}</LongitudeDegrees>`
  const time = `<Time>${formatDateTime(points.timeMs[i])}</Time>`
  const place = `<Position>${latitude}${longitude}</Position>${element('AltitudeMeters', points.altitude[i])}`
  return `<Trackpoint>${time}${place}${extensions(points, i)}</Trackpoint>\n`
}

function extensions(points: PointSlice, i: number): string {
  const speed = element('ns3:Speed', points.speedMps[i])
  const all = (speed === '' ? '' : `<ns3:TPX>${speed}</ns3:TPX>`) + ownFields(points, i)
  return all === '' ? '' : `<Extensions>${all}</Extensions>`
}
