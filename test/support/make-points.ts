/** A point in a request. */
export type WirePoint = {
  latitude: number
  longitude: number
  timestamp: string
  altitude?: number
  accuracy?: number
  speed_mps?: number
  heading?: number
  battery?: number
  origin?: string
}

/** Returns points of a steady walk north, one per second from `startMs`, about 1.1 m apart, each with `fields`. */
export function makePoints(
  count: number,
  startMs = Date.UTC(2026, 4, 3, 6),
  fields: Partial<WirePoint> = {},
): WirePoint[] {
  return Array.from({ length: count }, (_, i) => ({
    latitude: Number((48.85 + i * 0.00001).toFixed(7)),
    longitude: 2.35,
    timestamp: new Date(startMs + i * 1000).toISOString(),
    ...fields,
  }))
}
