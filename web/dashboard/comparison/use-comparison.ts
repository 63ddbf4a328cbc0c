import { useMemo } from 'react'
import { closestLongitude } from '../../map/coordinates.ts'
import type { Course, CourseLine, OperatorTrack, TrackSeries } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { type DrawnSeries, drawnSeries } from '../tracks/drawn-series.ts'
import {
  type ComparedSplit,
  comparedSplits,
  type GapOverDistance,
  gapOverDistance,
  type Lead,
  leadsOf,
  splitEnds,
  type Way,
} from './gap-over-distance.ts'

/** A track with its series. */
export type Compared = { track: OperatorTrack; series: TrackSeries }

/** Two tracks along their common way. */
export type Comparison = {
  series: [DrawnSeries, DrawnSeries]
  ways: [Way, Way]
  /** The way is progress along the course, or else the distance that each has covered. */
  isAlongCourse: boolean
  gap: GapOverDistance
  leads: Lead[]
  splits: ComparedSplit[]
}

/** A start counts where a runner last stood within this distance of it, as in the race. */
const START_SLACK_M = 30

/** Compares two tracks: along the course if both follow it, else by the distance covered. */
export function useComparison(
  first: Compared,
  second: Compared,
  course: Course | null,
  isByClock: boolean,
): Comparison {
  const lengthM = useFormat().units.metersPerFar
  const { ways, isAlongCourse, series } = useMemo(
    () => waysOf(first.series, second.series, course),
    [first.series, second.series, course],
  )
  return useMemo(() => {
    const options = {
      countedFrom: isByClock ? ('clock' as const) : ('own-start' as const),
      startSlackM: isAlongCourse ? START_SLACK_M : 0,
    }
    const { common } = gapOverDistance(ways[0], ways[1], options)
    const places = common === undefined ? [] : [common.fromM, ...splitEnds(common, lengthM)]
    const gap = gapOverDistance(ways[0], ways[1], { ...options, alsoAtM: places })
    return { series, ways, isAlongCourse, gap, leads: leadsOf(gap), splits: comparedSplits(gap, places) }
  }, [series, ways, isAlongCourse, isByClock, lengthM])
}

function waysOf(first: TrackSeries, second: TrackSeries, course: Course | null) {
  const both = [first, second] as const
  const along = course === null ? [] : both.map((one) => wayAlongCourse(course.line, one))
  const isAlongCourse = along.length > 0 && both.every((one, side) => followsCourse(along[side], one))
  const wayOf = (side: 0 | 1): Way => ({
    timeMs: both[side].time_ms,
    meters: isAlongCourse ? along[side] : both[side].distance_meters,
  })
  const [drawnFirst, drawnSecond] = both.map(drawnSeries)
  const series: [DrawnSeries, DrawnSeries] = [drawnFirst, nearTo(drawnSecond, drawnFirst)]
  return { ways: [wayOf(0), wayOf(1)] as [Way, Way], isAlongCourse, series }
}

/** Moves a line by whole turns of the earth, so that two lines across the antimeridian are drawn together. */
function nearTo(series: DrawnSeries, { longitude: [start = 0] }: DrawnSeries): DrawnSeries {
  const [own = start] = series.longitude
  const turn = closestLongitude(own, start) - own
  return turn === 0 ? series : { ...series, longitude: series.longitude.map((degrees) => degrees + turn) }
}

/** Returns the index of the step nearest to a place of the way. */
export function nearestStep(steps: readonly number[], meters: number): number {
  let [low, high] = [0, steps.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (steps[middle] >= meters) high = middle
    else low = middle + 1
  }
  return low > 0 && meters - steps[low - 1] < steps[low] - meters ? low - 1 : low
}

/** Further from the course than this, a place on it is a guess: the error of a phone in a valley or a street. */
const MOST_AWAY_M = 75
/** A runner who turns round, or a receiver at rest, goes back on the course by so much between two points. */
const BACK_M = 100
/** The course between two points may be longer than the way that was seen, by this share and so many meters. */
const LONGER = 1.5
const LONGER_M = 300
/** A meter of course that does not fit the way that was seen counts like so many meters off the course. */
const UNLIKE_WEIGHT = 0.3
/** Of two passes near the first point, the earlier one is meant, unless it is this much further away for each meter. */
const LATER_WEIGHT = 0.002
/** Points that are compared with the whole course until one is on it. */
const MAX_SEARCHES = 200
const METERS_PER_DEGREE = 111_195

type Positions = { latitude: readonly number[]; longitude: readonly number[] }
type Places = Positions & { distance_meters: readonly number[] }

/**
 * Returns the meters along the course at each point of a track; null off the course. A course may cross or follow
 * itself: the part is meant that fits the way since the last point. The time it takes is bounded by points times legs
 * of the course that are within reach.
 */
export function wayAlongCourse(course: CourseLine, track: Places): (number | null)[] {
  const line = planeOf(course, course)
  const points = planeOf(track, course)
  const count = track.latitude.length
  const stride = Math.max(1, Math.ceil(count / MAX_SEARCHES))
  const meters: (number | null)[] = []
  let lastM: number | undefined
  let travelledM = 0
  for (let index = 0; index < count; index++) {
    if (index > 0) travelledM += stepOf(points, track.distance_meters, index)
    const place = { x: points.x[index], y: points.y[index] }
    const isSearched = lastM !== undefined || index % stride === 0
    const found = isSearched ? nearest(line, course.distance_m, place, lastM, travelledM) : undefined
    meters.push(found ?? null)
    if (found === undefined) continue
    lastM = found
    travelledM = 0
  }
  return meters
}

type Plane = { x: number[]; y: number[] }

/** Projects positions to meters around the start of a course. A degree is the same everywhere on a course. */
function planeOf({ latitude, longitude }: Positions, origin: CourseLine): Plane {
  const [south, west] = [origin.latitude[0] ?? 0, origin.longitude[0] ?? 0]
  const east = METERS_PER_DEGREE * Math.cos((south * Math.PI) / 180)
  const shortWay = (degrees: number) => degrees - 360 * Math.round(degrees / 360)
  return {
    x: longitude.map((degrees) => shortWay(degrees - west) * east),
    y: latitude.map((degrees) => (degrees - south) * METERS_PER_DEGREE),
  }
}

/** Returns the way between a point and the one before: as counted, or straight where nothing was recorded. */
function stepOf({ x, y }: Plane, distanceMeters: readonly number[], index: number): number {
  const straightM = Math.hypot(x[index] - x[index - 1], y[index] - y[index - 1])
  return Math.max(straightM, distanceMeters[index] - distanceMeters[index - 1])
}

/** Returns the place on the course that fits best; undefined if none is near. */
function nearest(
  line: Plane,
  distanceM: readonly number[],
  place: { x: number; y: number },
  lastM: number | undefined,
  travelledM: number,
): number | undefined {
  const fromM = lastM === undefined ? 0 : lastM - BACK_M
  const toM = lastM === undefined ? Number.POSITIVE_INFINITY : lastM + LONGER * travelledM + LONGER_M
  let best: number | undefined
  let leastCost = Number.POSITIVE_INFINITY
  for (let leg = firstLeg(distanceM, fromM); leg < distanceM.length && distanceM[leg - 1] <= toM; leg++) {
    const { share, squaredAwayM } = onLeg(line, leg, place)
    if (squaredAwayM > MOST_AWAY_M ** 2) continue
    const awayM = Math.sqrt(squaredAwayM)
    const courseM = distanceM[leg - 1] + share * (distanceM[leg] - distanceM[leg - 1])
    const cost =
      lastM === undefined
        ? awayM + LATER_WEIGHT * courseM
        : awayM + UNLIKE_WEIGHT * Math.abs(courseM - lastM - travelledM)
    if (cost < leastCost) [best, leastCost] = [courseM, cost]
  }
  return best
}

function onLeg({ x, y }: Plane, leg: number, place: { x: number; y: number }): { share: number; squaredAwayM: number } {
  const [dx, dy] = [x[leg] - x[leg - 1], y[leg] - y[leg - 1]]
  const [px, py] = [place.x - x[leg - 1], place.y - y[leg - 1]]
  const squared = dx * dx + dy * dy
  const share = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared))
  return { share, squaredAwayM: (px - share * dx) ** 2 + (py - share * dy) ** 2 }
}

/** Returns the end of the first leg that reaches a distance along the course. */
function firstLeg(distanceM: readonly number[], fromM: number): number {
  let [low, high] = [1, distanceM.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (distanceM[middle] >= fromM) high = middle
    else low = middle + 1
  }
  return low
}

/** A track is one of the course if this share of its way is on it. */
const LEAST_ON_COURSE = 0.6

/** Tells whether a track follows the course: for most of its way, and not only across it. */
export function followsCourse(along: readonly (number | null)[], { distance_meters }: Places): boolean {
  const totalM = (distance_meters.at(-1) ?? 0) - (distance_meters[0] ?? 0)
  let onCourseM = 0
  let courseM = 0
  for (let index = 1; index < along.length; index++) {
    const [before, after] = [along[index - 1], along[index]]
    if (before === null || after === null) continue
    onCourseM += distance_meters[index] - distance_meters[index - 1]
    courseM += after - before
  }
  return totalM > 0 && onCourseM >= LEAST_ON_COURSE * totalM && courseM >= (LEAST_ON_COURSE / 2) * totalM
}
