import type { ActivityPoint } from '../../scripts/activity-file/activity-file.ts'
import type { CoursePlace } from './course.ts'

/** Runners start their phones before the line, and stop them behind it. */
const BEYOND_ENDS_METERS = 12
/** Speeds beyond this are leaps of a receiver. */
const FASTEST_MPS = 6
/** Points before and after one that smooth its distance: about 20 seconds. */
const SMOOTHED_OVER_POINTS = 20
const METERS_PER_DEGREE = 111_195

/**
 * Moves a recorded run onto a course: at each share of its distance, the runner has done the same share of the effort
 * of the course. Climbs take longer, and the whole takes as long as the recorded pace needs for that effort.
 * @param recorded in time order
 * @returns points at the times of the recording, stretched, without the altitudes of the recording
 */
export function runCourse(course: readonly CoursePlace[], recorded: readonly ActivityPoint[]): ActivityPoint[] {
  const way = beyondEnds(course)
  const efforts = effortsAlong(way)
  const run = distancesOf(recorded)
  const [effortM, runM] = [efforts[efforts.length - 1], run[run.length - 1]]
  const startMs = Date.parse(recorded[0].timestamp)
  let next = 1
  let before: { along: number; timeMs: number } | undefined
  return recorded.map(({ timestamp }, i) => {
    const effort = (run[i] / runM) * effortM
    while (next < way.length - 1 && efforts[next] < effort) next++
    const share = (effort - efforts[next - 1]) / (efforts[next] - efforts[next - 1])
    const { distanceM: along, ...place } = placeBetween(way[next - 1], way[next], share)
    const timeMs = startMs + (Date.parse(timestamp) - startMs) * (effortM / runM)
    const sec = (timeMs - (before?.timeMs ?? timeMs)) / 1000
    const mps = before === undefined || sec === 0 ? 0 : (along - before.along) / sec
    before = { along, timeMs }
    return { ...place, speed_mps: Math.round(mps * 100) / 100, timestamp: new Date(timeMs).toISOString() }
  })
}

/**
 * Returns the speed on a slope relative to the flat, by Tobler's hiking function (Tobler 1993), shifted to 1 on the
 * flat. Downhill it is at most a little faster.
 */
export function hikingFactor(slope: number): number {
  return Math.min(1.15, Math.exp(-3.5 * Math.abs(slope + 0.05)) / Math.exp(-3.5 * 0.05))
}

/** Returns the place at a share of the way between two. */
export function placeBetween(from: CoursePlace, to: CoursePlace, share: number): CoursePlace {
  const between = (a: number, b: number) => a + (b - a) * share
  return {
    latitude: between(from.latitude, to.latitude),
    longitude: between(from.longitude, to.longitude),
    altitude: between(from.altitude, to.altitude),
    distanceM: between(from.distanceM, to.distanceM),
  }
}

/** Returns the way of a runner: the course with a few metres before its beginning and behind its end. */
export function beyondEnds(course: readonly CoursePlace[]): CoursePlace[] {
  const outward = (end: CoursePlace, inner: CoursePlace) =>
    placeBetween(end, inner, -BEYOND_ENDS_METERS / Math.abs(end.distanceM - inner.distanceM))
  return [outward(course[0], course[1]), ...course, outward(course.at(-1)!, course.at(-2)!)]
}

/** Returns the metres on the flat that take as long as the way to each place of the course. */
function effortsAlong(course: readonly CoursePlace[]): number[] {
  const efforts = [0]
  for (let i = 1; i < course.length; i++) {
    const meters = course[i].distanceM - course[i - 1].distanceM
    const slope = (course[i].altitude - course[i - 1].altitude) / meters
    efforts.push(efforts[i - 1] + meters / hikingFactor(slope))
  }
  return efforts
}

/** Returns the metres that a run has done at each point, smoothed, and without the leaps of its receiver. */
function distancesOf(points: readonly ActivityPoint[]): number[] {
  const distances = [0]
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1], points[i]]
    const east = (to.longitude - from.longitude) * Math.cos((from.latitude * Math.PI) / 180)
    const meters = Math.hypot(east, to.latitude - from.latitude) * METERS_PER_DEGREE
    const sec = (Date.parse(to.timestamp) - Date.parse(from.timestamp)) / 1000
    distances.push(distances[i - 1] + Math.min(meters, FASTEST_MPS * sec))
  }
  return distances.map((_, i) => {
    const reach = Math.min(SMOOTHED_OVER_POINTS, i, distances.length - 1 - i)
    const around = distances.slice(i - reach, i + reach + 1)
    return around.reduce((sum, meters) => sum + meters, 0) / around.length
  })
}
