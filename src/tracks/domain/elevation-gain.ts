import { altitudeMeans } from './altitude-mean.ts'
import { altitudeNoise } from './altitude-noise.ts'
import { type AltitudeRuns, FEWEST_ALTITUDES } from './altitude-runs.ts'

export type Elevation = { gainMeters: number; lossMeters: number; method: ElevationMethod; noiseMeters?: number }

/** `plain` sums every rise; the others smooth over a window of seconds and count reversals of at least so many metres. */
export type ElevationMethod = 'plain' | '10s-3m' | '30s-5m' | '30s-10m'

type Smoothing = { method: ElevationMethod; noiseBelowMeters: number; windowSec: number; reversalMeters: number }

/**
 * Measured in docs/accuracy.md on recordings thinned to 1 to 30 s and with noise added: no single window and reversal
 * holds at all spacings and noises, this choice by the noise does. Devices show at least 0.2 m, so what is below
 * 0.15 m has been smoothed or made up, and its plain sum is exact. GoldenCheetah counts reversals of 3 m, sports-lib
 * of 2 m after smoothing, BRouter of 10 m.
 */
const SMOOTHINGS: readonly Smoothing[] = [
  { method: '10s-3m', noiseBelowMeters: 1.4, windowSec: 10, reversalMeters: 3 },
  { method: '30s-5m', noiseBelowMeters: 2.4, windowSec: 30, reversalMeters: 5 },
  { method: '30s-10m', noiseBelowMeters: Number.POSITIVE_INFINITY, windowSec: 30, reversalMeters: 10 },
]
const NOISELESS_METERS = 0.15

/** Metres climbed and descended, both positive, summed over the runs; `medianMps` is the median speed of the legs. */
export function elevationGain(runs: AltitudeRuns, medianMps: number): Elevation {
  const enough = runs.meters.length >= FEWEST_ALTITUDES
  const noiseMeters = enough ? altitudeNoise(runs, medianMps, NOISELESS_METERS) : undefined
  if (noiseMeters === undefined || noiseMeters < NOISELESS_METERS) {
    return { ...sumOfReversals(runs.meters, runs.bounds, 0), method: 'plain', noiseMeters }
  }
  const smoothing = SMOOTHINGS.find(({ noiseBelowMeters }) => noiseMeters < noiseBelowMeters) ?? SMOOTHINGS[2]
  const means = altitudeMeans(runs, smoothing.windowSec)
  return { ...sumOfReversals(means, runs.bounds, smoothing.reversalMeters), method: smoothing.method, noiseMeters }
}

type Climbs = { gainMeters: number; lossMeters: number }

function sumOfReversals(meters: Float64Array, bounds: Int32Array, reversalMeters: number): Climbs {
  const climbs = { gainMeters: 0, lossMeters: 0 }
  for (let run = 0; run + 1 < bounds.length; run++) {
    addReversals(climbs, meters.subarray(bounds[run], bounds[run + 1]), reversalMeters)
  }
  return climbs
}

/**
 * Adds the rises and falls between turning points: a reversal counts once it is `reversalMeters` away from the last
 * extreme, and then in full. So nothing of a slow climb is lost, as it is where small steps are ignored one by one.
 */
function addReversals(climbs: Climbs, meters: Float64Array, reversalMeters: number): void {
  const reached = (rise: number) => rise > 0 && rise >= reversalMeters
  let [direction, turn, extreme, low, high] = [0, meters[0], meters[0], meters[0], meters[0]]
  for (const altitude of meters) {
    if (direction === 0) {
      low = Math.min(low, altitude)
      high = Math.max(high, altitude)
      if (!reached(altitude - low) && !reached(high - altitude)) continue
      direction = reached(altitude - low) ? 1 : -1
      turn = direction === 1 ? low : high
      extreme = altitude
    } else if ((altitude - extreme) * direction > 0) {
      extreme = altitude
    } else if (reached((extreme - altitude) * direction)) {
      addMove(climbs, extreme - turn)
      turn = extreme
      extreme = altitude
      direction = -direction
    }
  }
  addMove(climbs, extreme - turn)
}

function addMove(climbs: Climbs, meters: number): void {
  if (meters > 0) climbs.gainMeters += meters
  else climbs.lossMeters -= meters
}
