/** Metres of the error of a receiver: it drifts slowly, in waves of a minute or two. */
export type Drift = { northM: number; eastM: number; upM: number }

const METERS_PER_DEGREE = 111_195

/** Returns the error of a phone's receiver after so many seconds. Every seed drifts in a way of its own. */
export function driftAt(sec: number, seed: number): Drift {
  return {
    northM: 2 * Math.sin(sec / 17 + 3 * seed) + Math.sin(sec / 7 + 2 * seed),
    eastM: 2 * Math.sin(sec / 19 + 5 * seed) + Math.sin(sec / 6 + seed),
    upM: 2 * Math.sin(sec / 90 + seed),
  }
}

/** Returns a point as a phone's receiver sees it. */
export function seenWith<Point extends { latitude: number; longitude: number; altitude?: number }>(
  { northM, eastM, upM }: Drift,
  point: Point,
): Point & { accuracy: number } {
  const eastDegrees = eastM / METERS_PER_DEGREE / Math.cos((point.latitude * Math.PI) / 180)
  return {
    ...point,
    latitude: rounded(point.latitude + northM / METERS_PER_DEGREE, 6),
    longitude: rounded(point.longitude + eastDegrees, 6),
    altitude: rounded((point.altitude ?? 0) + upM, 1),
    accuracy: 4,
  }
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
