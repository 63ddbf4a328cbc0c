import type { AltitudeRuns } from './altitude-runs.ts'

/**
 * Returns the mean of the altitudes at most half of `windowSec` away from each altitude, in metres, within its run. At
 * the ends of a run the window is cut off on one side: shrinking it on both keeps the noise of a recording's first
 * seconds, which is the worst.
 */
export function altitudeMeans({ timeMs, meters, bounds }: AltitudeRuns, windowSec: number): Float64Array {
  const halfMs = (windowSec * 1000) / 2
  const means = new Float64Array(meters.length)
  for (let run = 0; run + 1 < bounds.length; run++) {
    const start = bounds[run]
    const end = bounds[run + 1]
    // Sums relative to the first altitude stay small, so subtracting old altitudes loses no digits.
    const base = meters[start]
    let sum = 0
    let first = start
    let next = start
    for (let i = start; i < end; i++) {
      while (next < end && timeMs[next] <= timeMs[i] + halfMs) sum += meters[next++] - base
      while (timeMs[first] < timeMs[i] - halfMs) sum -= meters[first++] - base
      means[i] = base + sum / (next - first)
    }
  }
  return means
}
