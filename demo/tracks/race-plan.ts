import type { ActivityPoint } from '../../scripts/activity-file/activity-file.ts'
import { placeInTime } from '../recordings/place-in-time.ts'
import type { PlannedTrack } from './phone.ts'
import { driftAt, seenWith } from './receiver-drift.ts'

/** Runners who have arrived: minutes since the arrival, and their speed relative to the recording. */
const ARRIVED: readonly [arrivedMinAgo: number, factor: number][] = [
  [312, 0.94],
  [264, 1.02],
  [221, 0.88],
  [187, 1.21],
  [142, 1.08],
  [96, 0.97],
  [41, 1.27],
  [17, 1.12],
]
/**
 * Runners on course: the completed fraction of the route, and their relative speed. The first arrives within a minute.
 */
const UNDER_WAY: readonly [done: number, factor: number][] = [
  [0.98, 1.3],
  [0.66, 1.18],
  [0.41, 1.34],
  [0.14, 1.24],
]
/** Relative speeds of later starters, in turn. */
const LATER_FACTORS = [1.28, 1.16, 1.38, 1.22, 1.31]

/** Plans every bib number of a race, at a given moment. */
export type RacePlan = {
  arrived: PlannedTrack[]
  underWay: PlannedTrack[]
  /** Plans the next starter at that moment, with a new number each time. */
  next(startMs: number): PlannedTrack
}

/** Plans a race of which every runner runs the same route, at a pace and with a receiver of their own. */
export function planRace(route: readonly ActivityPoint[], nowMs: number): RacePlan {
  const lengthMs = lengthOf(placeInTime(route, { startMs: 0, factor: 1 }))
  let bib = 0
  const runner = (startMs: number, factor: number): PlannedTrack => {
    bib++
    const seed = bib
    const points = placeInTime(route, { startMs, factor }).map((point) => {
      return seenWith(driftAt((Date.parse(point.timestamp) - startMs) / 1000, seed), point)
    })
    const userId = `dossard ${bib}`
    return { deviceTrackId: `dossard-${bib}`, userId, activityType: 'run', points }
  }
  return {
    arrived: ARRIVED.map(([minutes, factor]) => runner(nowMs - minutes * 60_000 - lengthMs / factor, factor)),
    underWay: UNDER_WAY.map(([done, factor]) => runner(nowMs - (done * lengthMs) / factor, factor)),
    next: (startMs) => runner(startMs, LATER_FACTORS[bib % LATER_FACTORS.length]),
  }
}

function lengthOf(points: readonly ActivityPoint[]): number {
  return Date.parse(points[points.length - 1].timestamp) - Date.parse(points[0].timestamp)
}
