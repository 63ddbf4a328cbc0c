import { wanderingNoise } from './wandering-noise.ts'

const METERS_PER_DEGREE = 111_195
const START = { latitude: 46.5, longitude: 7 }

/** Returns the true height of a hilly way to the north, in metres, at so many metres from its start. */
export function heightAt(wayMeters: number): number {
  return 900 + 120 * Math.sin(wayMeters / 900) + 30 * Math.sin(wayMeters / 210)
}

/** Returns the metres climbed on the first part of the way. */
export function climbUntil(wayMeters: number): number {
  let climb = 0
  for (let m = 1; m <= wayMeters; m++) climb += Math.max(0, heightAt(m) - heightAt(m - 1))
  return climb
}

/** Returns the place at so many metres of the way, and so many metres east of it. */
export function hillyPlace(wayMeters: number, eastMeters = 0) {
  const metersPerDegreeEast = METERS_PER_DEGREE * Math.cos((START.latitude * Math.PI) / 180)
  return {
    latitude: START.latitude + wayMeters / METERS_PER_DEGREE,
    longitude: START.longitude + eastMeters / metersPerDegreeEast,
  }
}

/** A phone on the way: the error of its altitudes in metres, which lasts 30 s, and a constant one. */
export type HillyRun = { sigmaMeters: number; aboveMeters?: number; eastMeters?: number; seed?: number }

/** Returns the points of someone who runs so many seconds along the way, one a second at 3 m/s. */
export function hillyRun(seconds: number, { sigmaMeters, aboveMeters = 0, eastMeters = 0, seed = 1 }: HillyRun) {
  const errors = wanderingNoise(seconds, sigmaMeters, { keep: Math.exp(-1 / 30), seed })
  return errors.map((error, i) => ({
    ...hillyPlace(3 * i, eastMeters),
    timestamp: new Date(Date.UTC(2026, 4, 3, 6) + i * 1000).toISOString(),
    altitude: heightAt(3 * i) + error + aboveMeters,
  }))
}
