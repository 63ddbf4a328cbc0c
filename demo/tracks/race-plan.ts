import type { ActivityPoint } from '../../scripts/activity-file/activity-file.ts'
import { placeInTime } from '../recordings/place-in-time.ts'
import type { PlannedTrack } from './track-sender.ts'

/** Who has arrived: minutes since the arrival, and how much faster than the recording. */
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
/** Who is under way: the part of the way that lies behind, and the pace. The first of them arrives within a minute. */
const UNDER_WAY: readonly [done: number, factor: number][] = [
  [0.98, 1.3],
  [0.66, 1.18],
  [0.41, 1.34],
  [0.14, 1.24],
]
/** Paces of those who start later, in turn. */
const LATER_FACTORS = [1.28, 1.16, 1.38, 1.22, 1.31]

/** Every bib number of a race on a recorded route, at a moment. */
export type RacePlan = {
  arrived: PlannedTrack[]
  underWay: PlannedTrack[]
  /** Who starts next, at that moment; a new number each time. */
  next(startMs: number): PlannedTrack
}

export function planRace(route: readonly ActivityPoint[], nowMs: number): RacePlan {
  const lengthMs = lengthOf(placeInTime(route, { startMs: 0, factor: 1 }))
  let bib = 0
  const runner = (startMs: number, factor: number): PlannedTrack => {
    bib++
    const points = placeInTime(route, { startMs, factor })
    const userId = `dossard ${bib}`
    return { deviceTrackId: `dossard-${bib}`, userId, title: `Dossard ${bib}`, activityType: 'run', points }
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
