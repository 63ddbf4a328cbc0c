import { useMemo } from 'react'
import { closestLongitude } from '../../map/coordinates.ts'
import type { Course, OperatorTrack, TrackSeries } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { followsCourse, wayAlongCourse } from '../race/way-along-course.ts'
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
