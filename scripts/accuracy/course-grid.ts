import { distancesAlong } from '../../src/tracks/race/course.ts'
import { type CourseHeights, heightsOfLine } from '../../src/tracks/statistics/course-heights.ts'
import { normalNumbers } from '../../test/support/wandering-noise.ts'
import type { ActivityFile } from '../activity-file/activity-file.ts'
import { withAltitudeNoise } from './degrade.ts'
import { measureAll, percent, type Recording, recordingsOf } from './noise-grid.ts'
import { table } from './table.ts'

/** Places of a planned course are so far apart, and errors of its heights stay alike over so many metres of way. */
const STEP_METERS = 20
const CORRELATION_METERS = 100
const PHONES_METERS = [0, 2, 4, 6]
const COURSES_METERS = [0.5, 1, 2, 4]
/** A phone's own error lasts so long. */
const PHONE_SEC = 30

/** Measures the elevation gain of recordings along a course with heights of its own. */
export function courseGrid(files: readonly { name: string; device: ActivityFile }[]): string {
  const recordings = recordingsOf(files)
  const cell = (phoneMeters: number, courseMeters?: number) => {
    const makeCourse = (recording: Recording, seed: number) =>
      courseMeters === undefined ? undefined : courseAlong(recording, courseMeters, seed)
    const degrade = (seed: number) => withAltitudeNoise(phoneMeters, PHONE_SEC, seed)
    return percent(measureAll(recordings, degrade, makeCourse).errors, 1)
  }
  return table(
    ['altitudes of the track', 'alone', ...COURSES_METERS.map((meters) => `course ± ${meters} m`)],
    PHONES_METERS.map((phone) => [
      phone === 0 ? 'as recorded' : `± ${phone} m`,
      cell(phone),
      ...COURSES_METERS.map((course) => cell(phone, course)),
    ]),
  )
}

/** Returns a course along a recording, with errors on its heights. */
function courseAlong({ points }: Recording, errorMeters: number, seed: number): CourseHeights {
  const known = points.filter(({ altitude }) => altitude !== undefined)
  const distances = distancesAlong(
    Float64Array.from(known, ({ latitude }) => latitude),
    Float64Array.from(known, ({ longitude }) => longitude),
  )
  const normal = normalNumbers(seed)
  let error = normal() * errorMeters
  const places: { latitude: number; longitude: number; altitude: number; distanceM: number }[] = []
  for (const [i, { latitude, longitude, altitude }] of known.entries()) {
    const way = places.length === 0 ? 0 : distances[i] - places[places.length - 1].distanceM
    if (places.length > 0 && way < STEP_METERS) continue
    const keep = Math.exp(-way / CORRELATION_METERS)
    error = error * keep + normal() * errorMeters * Math.sqrt(1 - keep * keep)
    places.push({ latitude, longitude, altitude: altitude! + error, distanceM: distances[i] })
  }
  const column = (name: keyof (typeof places)[number]) => Float64Array.from(places, (place) => place[name])
  return heightsOfLine({
    latitude: column('latitude'),
    longitude: column('longitude'),
    altitude: column('altitude'),
    distanceM: column('distanceM'),
  })
}
