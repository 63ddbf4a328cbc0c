import { emptyColumns, type PointColumns } from '../points/point-columns.ts'

/** Returns a walk around a hill, a point a second, with a receiver's jitter from a fixed sequence. */
export function syntheticWalk(count: number): PointColumns {
  const points = emptyColumns(count)
  for (let i = 0; i < count; i++) {
    const jitter = ((i * 7919) % 101) / 101 - 0.5
    points.timeMs[i] = i * 1000
    points.latitude[i] = Math.round((45 + Math.sin(i / 900) / 100 + jitter / 1e5) * 1e7) / 1e7
    points.longitude[i] = Math.round((6 + Math.cos(i / 900) / 100 + jitter / 1e5) * 1e7) / 1e7
    points.altitude[i] = Math.round((1000 + 80 * Math.sin(i / 600) + 2 * jitter) * 10) / 10
    points.speedMps[i] = Math.round((2.6 + jitter) * 100) / 100
    points.accuracy[i] = Math.round((4 + jitter) * 10) / 10
    points.heading[i] = Math.abs(Math.round(i * 0.7 + jitter)) % 360
    points.battery[i] = Math.round((1 - i / 1e5) * 100) / 100
  }
  return points
}
