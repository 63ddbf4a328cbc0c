import type { ExaminedTrack } from './examined-track.ts'
import { metersBetween } from './trace/distance.ts'
import { secondsBetween } from './trace/trace.ts'

/** Positions are compared over at least 5 s, half of it on each side, as for the moving time. */
const HALF_WINDOW_MS = 2500

/**
 * Returns the speed at each point in metres per second: the receiver's own if the track has reliable ones and the point
 * has one, otherwise the speed between the positions around it; NaN for a single point between two gaps.
 */
export function pointSpeeds({ trace, starts, ownSpeeds }: ExaminedTrack): Float64Array {
  const speeds = new Float64Array(trace.count).fill(Number.NaN)
  for (let run = 0; run < starts.length; run++) {
    const end = run + 1 < starts.length ? starts[run + 1] : trace.count
    let from = starts[run]
    let to = starts[run]
    for (let i = starts[run]; i < end; i++) {
      while (from + 1 < i && trace.timeMs[from + 1] <= trace.timeMs[i] - HALF_WINDOW_MS) from++
      while (to < end - 1 && (to <= i || trace.timeMs[to] < trace.timeMs[i] + HALF_WINDOW_MS)) to++
      if (ownSpeeds && trace.speedMps[i] >= 0) speeds[i] = trace.speedMps[i]
      else if (to > from) speeds[i] = metersBetween(trace, from, to) / secondsBetween(trace, from, to)
    }
  }
  return speeds
}
