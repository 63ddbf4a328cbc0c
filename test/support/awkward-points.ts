import type { TestPoint } from './track-columns.ts'

/** Points at the bounds, with numbers that are easily corrupted: with many decimals, or written with an exponent. */
export const AWKWARD_POINTS: readonly TestPoint[] = [
  { sec: 0, latitude: 1e-7, longitude: -1.2345e-7, altitude: 1e21, speedMps: 1e-9 },
  { sec: 0.001, latitude: 0, longitude: -0.1 - 0.2, speedMps: 2.5, heading: 360 },
  { sec: 1, latitude: 90, longitude: 180, accuracy: -1, battery: 1, origin: 3 },
  { sec: 1, latitude: -90, longitude: -180, altitude: -12.5, speedMps: -1, heading: 0 },
]

/** A title with what XML, file names and spreadsheets must not take for their own. */
export const AWKWARD_TITLE = '=1+1 "Tom & <Jerry>"\u0001 \ud83d\ude00 ]]> ../x'
