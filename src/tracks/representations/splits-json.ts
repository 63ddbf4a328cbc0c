import { formatDateTime } from '#platform/time/date-time.ts'
import type { Split, SplitList } from '../schemas/track-series.ts'
import type { TrackSplit } from '../statistics/splits.ts'

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
