import { formatDateTime } from '#platform/basics/time.ts'
import { cumulativeClimbs, elevationProfile } from './elevation.ts'
import type { ExaminedTrack, StatisticsSettings } from './examined-track.ts'
import { LEG_KINDS, travelledMeters } from './legs.ts'
import type { Split, SplitList } from './schemas.ts'
import { movingLegs } from './speed.ts'
import { secondsBetween } from './trace.ts'

/** With more splits get longer: a track may jump around the globe all along. */
const MAX_SPLITS = 10_000

/** A remainder below a centimetre is the rounding of sums or of coordinates, not distance. */
const MIN_REMAINDER_METERS = 0.01

/** A part of a track. The parts together have the statistics' distance, elapsed and moving time, climb and descent. */
export type TrackSplit = {
  distanceMeters: number
  startMs: number
  endMs: number
  movingTimeSec: number
  gainMeters: number
  lossMeters: number
}

/** The totals from the start of a track to a place on it. */
type Reached = { meters: number; timeMs: number; movingSec: number; gainMeters: number; lossMeters: number }

/** Returns parts of a track of a length, the last of which may be shorter; none when there is no leg. */
export function computeSplits(
  track: ExaminedTrack,
  { activityType }: StatisticsSettings,
  fullMeters: number,
): TrackSplit[] {
  const { trace, legMeters, kinds, starts, altitudes, ownSpeeds } = track
  if (trace.count < 2) return []
  const splitMeters = splitLength(travelledMeters(kinds, legMeters), fullMeters)
  const moving = movingLegs(trace, starts, activityType, ownSpeeds)
  const climbs = cumulativeClimbs(trace, elevationProfile(altitudes))
  const at = (i: number, meters: number, movingSec: number): Reached => ({
    meters,
    timeMs: trace.timeMs[i],
    movingSec,
    gainMeters: climbs.gainMeters[i],
    lossMeters: climbs.lossMeters[i],
  })
  const marks: Reached[] = [at(0, 0, 0)]
  let here = marks[0]
  for (let i = 1; i < trace.count; i++) {
    const meters = here.meters + (kinds[i] === LEG_KINDS.travelled ? legMeters[i] : 0)
    const next = at(i, meters, here.movingSec + (moving[i] === 1 ? secondsBetween(trace, i - 1, i) : 0))
    while (meters >= marks.length * splitMeters) marks.push(between(here, next, marks.length * splitMeters))
    here = next
  }
  // Points after the last full kilometre that add no distance belong to it.
  if (marks.length > 1 && here.meters - marks[marks.length - 1].meters < MIN_REMAINDER_METERS) marks.pop()
  marks.push(here)
  return marks.slice(1).map((end, i) => difference(marks[i], end))
}

function splitLength(totalMeters: number, fullMeters: number): number {
  return fullMeters * Math.max(1, Math.ceil(totalMeters / (fullMeters * MAX_SPLITS)))
}

/** Returns the totals `meters` from the start, interpolated linearly on the leg between two places. */
function between(from: Reached, to: Reached, meters: number): Reached {
  const share = (meters - from.meters) / (to.meters - from.meters)
  const part = (a: number, b: number) => a + share * (b - a)
  return {
    meters,
    timeMs: part(from.timeMs, to.timeMs),
    movingSec: part(from.movingSec, to.movingSec),
    gainMeters: part(from.gainMeters, to.gainMeters),
    lossMeters: part(from.lossMeters, to.lossMeters),
  }
}

function difference(start: Reached, end: Reached): TrackSplit {
  return {
    distanceMeters: end.meters - start.meters,
    startMs: start.timeMs,
    endMs: end.timeMs,
    movingTimeSec: end.movingSec - start.movingSec,
    gainMeters: end.gainMeters - start.gainMeters,
    lossMeters: end.lossMeters - start.lossMeters,
  }
}

/** A split short by this much is still full: sums of thousands of legs are no more exact. */
const ROUNDING_METERS = 0.01

/** Represents the splits of a track in the words of the API; a full one is `fullMeters` long. */
export function splitsJson(trackId: string, fullMeters: number, splits: readonly TrackSplit[]): SplitList {
  return { track_id: trackId, splits: splits.map((split, index) => splitJson(split, index, fullMeters)) }
}

function splitJson(split: TrackSplit, index: number, fullMeters: number): Split {
  const { distanceMeters, startMs, endMs } = split
  const durationSec = (endMs - startMs) / 1000
  return {
    number: index + 1,
    distance_meters: distanceMeters,
    is_partial: distanceMeters < fullMeters - ROUNDING_METERS,
    start_ts: formatDateTime(startMs),
    end_ts: formatDateTime(endMs),
    duration_sec: durationSec,
    moving_time_sec: split.movingTimeSec,
    pace_sec_per_km: distanceMeters > 0 ? (durationSec / distanceMeters) * 1000 : 0,
    mean_speed_mps: durationSec > 0 ? distanceMeters / durationSec : 0,
    elevation_gain_m: split.gainMeters,
    elevation_loss_m: split.lossMeters,
  }
}
