import { courseClimb, distancesAlong } from '../../src/tracks/race/course.ts'
import { type CourseLine, heightsOfLine, type KnownHeights } from '../../src/tracks/statistics/course-line.ts'
import { normalNumbers } from '../../test/support/wandering-noise.ts'
import type { ActivityFile } from '../activity-file/activity-file.ts'
import { METERS_PER_DEGREE, withAltitudeNoise } from './degrade.ts'
import { measureAll, percent, type Recording, recordingsOf, SEEDS } from './noise-grid.ts'
import { table } from './table.ts'

/** Places of a planned course are so far apart. */
const STEP_METERS = 20
const PHONES_METERS = [0, 2, 4, 6]
const COURSES_METERS = [0.5, 1, 2, 4]
const TERRAINS_METERS = [0.5, 1, 2, 4, 10]
/** Errors of a model of the terrain stay alike over so many metres, in all directions. */
const TERRAIN_OVER_METERS = 100
/** Waves that make up the errors of a model. */
const WAVES = 60
/** A phone's own error lasts so long. */
const PHONE_SEC = 30

/** Errors of the heights of a course: their standard deviation, and the metres of way over which they stay alike. */
export type CourseErrors = { meters: number; overMeters: number }

const CLIMB_ERRORS: readonly CourseErrors[] = [
  { meters: 0, overMeters: 100 },
  { meters: 0.5, overMeters: 100 },
  { meters: 1, overMeters: 50 },
  { meters: 1, overMeters: 150 },
  { meters: 2, overMeters: 100 },
  { meters: 4, overMeters: 100 },
  { meters: 4, overMeters: 300 },
]

/** Measures the elevation gain of recordings along a course with heights of its own. */
export function courseGrid(files: readonly { name: string; device: ActivityFile }[]): string {
  return heightsGrid(recordingsOf(files), 'course', COURSES_METERS, (recording, meters, seed) =>
    heightsOfLine(courseLine(recording, { meters, overMeters: 100 }, seed)),
  )
}

/** Measures the elevation gain of recordings on a model of the terrain whose error is stated. */
export function terrainGrid(files: readonly { name: string; device: ActivityFile }[]): string {
  return heightsGrid(recordingsOf(files), 'terrain', TERRAINS_METERS, (recording, meters, seed) => {
    const way = heightsOfLine(courseLine(recording, { meters: 0, overMeters: 100 }, seed))
    const errorAt = wavyErrors(recording.points[0].latitude, seed)
    const along = () => {
      const heightAt = way.along()
      return (latitude: number, longitude: number) => {
        const height = heightAt(latitude, longitude)
        return height && { meters: height.meters + meters * errorAt(latitude, longitude), share: 1 }
      }
    }
    return { source: 'terrain', errorMeters: meters, along }
  })
}

type MakeHeights = (recording: Recording, meters: number, seed: number) => KnownHeights

function heightsGrid(recordings: Recording[], title: string, sizesMeters: readonly number[], make: MakeHeights) {
  const cell = (phoneMeters: number, meters?: number) => {
    const heightsOf = (recording: Recording, seed: number) =>
      meters === undefined ? undefined : make(recording, meters, seed)
    const degrade = (seed: number) => withAltitudeNoise(phoneMeters, PHONE_SEC, seed)
    return percent(measureAll(recordings, degrade, heightsOf).errors, 1)
  }
  return table(
    ['altitudes of the track', 'alone', ...sizesMeters.map((meters) => `${title} ± ${meters} m`)],
    PHONES_METERS.map((phone) => [
      phone === 0 ? 'as recorded' : `± ${phone} m`,
      cell(phone),
      ...sizesMeters.map((meters) => cell(phone, meters)),
    ]),
  )
}

/**
 * Returns errors by place with a standard deviation of 1 that are alike over a distance: a sum of waves whose numbers
 * follow the spectrum of an exponential correlation.
 */
function wavyErrors(latitude: number, seed: number): (latitude: number, longitude: number) => number {
  const normal = normalNumbers(seed)
  const metersPerDegreeEast = METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180)
  const waves = Array.from({ length: WAVES }, () => {
    const overMeters = Math.abs(normal()) * TERRAIN_OVER_METERS
    return { east: normal() / overMeters, north: normal() / overMeters, phase: normal() * 1000 }
  })
  return (north, east) => {
    const [x, y] = [east * metersPerDegreeEast, north * METERS_PER_DEGREE]
    const sum = waves.reduce((all, wave) => all + Math.cos(wave.east * x + wave.north * y + wave.phase), 0)
    return sum * Math.sqrt(2 / WAVES)
  }
}

/** Measures the climb of courses themselves. */
export function courseClimbs(files: readonly { name: string; device: ActivityFile }[]): string {
  const recordings = recordingsOf(files)
  const rows = CLIMB_ERRORS.map((errors) => {
    const apart = recordings.flatMap((recording) =>
      SEEDS.map((seed) => {
        const climbMeters = courseClimb(courseLine(recording, errors, recording.seed + seed)) ?? 0
        return Math.abs(climbMeters / recording.ascentMeters - 1)
      }),
    )
    const title = errors.meters === 0 ? 'as recorded' : `± ${errors.meters} m, ${errors.overMeters} m`
    return [title, percent(apart, 1)]
  })
  return table(['errors of the heights, alike over', 'climb of the course'], rows)
}

/** Returns the way of a recording as the line of a course, with errors on its heights. */
export function courseLine({ points }: Recording, errors: CourseErrors, seed: number): CourseLine {
  const known = points.filter(({ altitude }) => altitude !== undefined)
  const distances = distancesAlong(
    Float64Array.from(known, ({ latitude }) => latitude),
    Float64Array.from(known, ({ longitude }) => longitude),
  )
  const normal = normalNumbers(seed)
  let error = normal() * errors.meters
  const places: { latitude: number; longitude: number; altitude: number; distanceM: number }[] = []
  for (const [i, { latitude, longitude, altitude }] of known.entries()) {
    const way = places.length === 0 ? 0 : distances[i] - places[places.length - 1].distanceM
    if (places.length > 0 && way < STEP_METERS) continue
    const keep = Math.exp(-way / errors.overMeters)
    error = error * keep + normal() * errors.meters * Math.sqrt(1 - keep * keep)
    places.push({ latitude, longitude, altitude: altitude! + error, distanceM: distances[i] })
  }
  const column = (name: keyof (typeof places)[number]) => Float64Array.from(places, (place) => place[name])
  return {
    latitude: column('latitude'),
    longitude: column('longitude'),
    altitude: column('altitude'),
    distanceM: column('distanceM'),
  }
}
