import { FitBaseType, FitEncoder } from 'fit-file-parser/encoder'

/** A point of a recording made for a test. */
export type MadePoint = { latitude: number; longitude: number; timestamp: string; altitude?: number }

type Options = { name?: string; sport?: string; points?: readonly MadePoint[] }

const START_MS = Date.parse('2026-05-03T06:00:00Z')
/** FIT measures angles in 2^31 parts of half a circle, and altitudes in fifths of a meter from -500 m on. */
const SEMICIRCLES = 2 ** 31 / 180

/** A walk to the east: one point a second, from 06:00:00 UTC. */
export function walkEast(count = 3, startMs = START_MS): MadePoint[] {
  return Array.from({ length: count }, (_, i) => ({
    latitude: 45.5,
    longitude: 6.25 + i / 10_000,
    timestamp: new Date(startMs + i * 1000).toISOString(),
    altitude: 100 + (i % 1000),
  }))
}

export function makeGpxRecording({ name, sport, points = walkEast() }: Options = {}): string {
  return gpxOf(gpxTrack({ name, sport, points }))
}

/** A GPX file of these parts. */
export function gpxOf(...parts: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">${parts.join('')}</gpx>`
}

export function gpxTrack({ name, sport, points = walkEast() }: Options = {}): string {
  const title = name === undefined ? '' : `<name>${name}</name>`
  const type = sport === undefined ? '' : `<type>${sport}</type>`
  const segment = points.map(
    ({ latitude, longitude, timestamp, altitude }) =>
      `<trkpt lat="${latitude}" lon="${longitude}"><ele>${altitude ?? 0}</ele><time>${timestamp}</time></trkpt>`,
  )
  return `<trk>${title}${type}<trkseg>${segment.join('')}</trkseg></trk>`
}

/** A TCX activity of one lap of 500 m. */
export function makeTcx({ sport = 'Running', points = walkEast() }: Options = {}): string {
  const track = points.map(
    ({ latitude, longitude, timestamp, altitude }) =>
      `<Trackpoint><Time>${timestamp}</Time><Position><LatitudeDegrees>${latitude}</LatitudeDegrees><LongitudeDegrees>${longitude}</LongitudeDegrees></Position><AltitudeMeters>${altitude ?? 0}</AltitudeMeters></Trackpoint>`,
  )
  return `<TrainingCenterDatabase><Activities><Activity Sport="${sport}"><Id>${points[0].timestamp}</Id><Lap StartTime="${points[0].timestamp}"><TotalTimeSeconds>2</TotalTimeSeconds><DistanceMeters>500</DistanceMeters><Track>${track.join('')}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`
}

export function makeKml({ name = 'Around the lake', points = walkEast() }: Options = {}): string {
  const times = points.map(({ timestamp }) => `<when>${timestamp}</when>`)
  const positions = points.map(
    ({ latitude, longitude, altitude }) => `<gx:coord>${longitude} ${latitude} ${altitude ?? 0}</gx:coord>`,
  )
  return `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><Placemark><name>${name}</name><gx:Track>${times.join('')}${positions.join('')}</gx:Track></Placemark></Document></kml>`
}

export function makeGeojson({ name = 'Around the lake', sport = 'hike', points = walkEast() }: Options = {}): string {
  return JSON.stringify({
    type: 'Feature',
    geometry: {
      type: 'LineString',
      coordinates: points.map(({ latitude, longitude, altitude }) => [longitude, latitude, altitude ?? 0]),
    },
    properties: { name, activity_type: sport, coordTimes: points.map(({ timestamp }) => timestamp) },
  })
}

/** A session of a FIT file: its number of the sport (1 is running, 2 cycling, 5 swimming), and its points. */
export type FitSession = { sport?: number; points: readonly MadePoint[]; distanceMeters?: number }

/** A FIT activity with these sessions. File type 4 is an activity, 6 a course. */
export function makeFit(sessions: readonly FitSession[] = [{ points: walkEast() }], fileType = 4): Buffer<ArrayBuffer> {
  const encoder = new FitEncoder()
  encoder.writeMessage(0, [{ number: 0, size: 1, baseType: FitBaseType.Enum, value: fileType }])
  for (const { points } of sessions) for (const point of points) encoder.writeMessage(20, recordFields(point), 1)
  for (const session of sessions) encoder.writeMessage(18, sessionFields(session), 2)
  return Buffer.from(encoder.close())
}

function uint32(number: number, value: number) {
  return { number, size: 4, baseType: FitBaseType.Uint32, value }
}

function recordFields({ latitude, longitude, timestamp, altitude }: MadePoint) {
  const position = (number: number, degrees: number) => ({
    number,
    size: 4,
    baseType: FitBaseType.Sint32,
    value: Math.round(degrees * SEMICIRCLES),
  })
  const height = ((altitude ?? 0) + 500) * 5
  return [
    uint32(253, FitEncoder.toFitTimestamp(new Date(timestamp))),
    position(0, latitude),
    position(1, longitude),
    { number: 2, size: 2, baseType: FitBaseType.Uint16, value: height },
  ]
}

function sessionFields({ sport = 1, points, distanceMeters = 500 }: FitSession) {
  const [first, last] = [points[0], points[points.length - 1]].map(({ timestamp }) => new Date(timestamp))
  return [
    uint32(253, FitEncoder.toFitTimestamp(last)),
    uint32(2, FitEncoder.toFitTimestamp(first)),
    { number: 5, size: 1, baseType: FitBaseType.Enum, value: sport },
    uint32(7, last.getTime() - first.getTime()),
    uint32(9, distanceMeters * 100),
  ]
}
