/** The lowest and the highest value that a figure is likely to have. */
export type Interval = [low: number, high: number]

/**
 * Doubt about the estimated climb: a share of it, because devices and models differ, metres for each kilometre of way
 * and metre of noise, because errors look like hills on flat ground, and metres of any climb, because devices count
 * from some metres on, and in whole ones. The first two were chosen together, on eight recordings, so that the
 * intervals hold the total of the device, the last one on 27; docs/accuracy.md measures that they do.
 */
const SHARE_OF_CLIMB = 0.075
const METERS_PER_NOISY_KM = 0.25
const METERS_OF_ANY_CLIMB = 4

/** Standard deviations on either side that hold 95 % of normal values. */
const DEVIATIONS_OF_95_PERCENT = 1.96

/**
 * Returns the interval in metres that holds a climb with a probability of 95 %, never below 0. `noiseMeters` is the
 * standard deviation of the altitudes' error, `wayMeters` the way over which the climb was estimated.
 */
export function climbInterval(climbMeters: number, noiseMeters: number, wayMeters: number): Interval {
  const noisyMeters = (METERS_PER_NOISY_KM * noiseMeters * wayMeters) / 1000
  const deviation = Math.hypot(SHARE_OF_CLIMB * climbMeters, noisyMeters, METERS_OF_ANY_CLIMB)
  const half = DEVIATIONS_OF_95_PERCENT * deviation
  return [Math.max(0, climbMeters - half), climbMeters + half]
}
