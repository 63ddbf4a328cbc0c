import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ActivityFile } from '../../scripts/activity-file/activity-file.ts'
import { readActivityFile } from '../../scripts/activity-file/read-activity-file.ts'
import { emptyColumns, type PointColumns, sortPoints } from '../../src/tracks/points/point-columns.ts'

const FOLDER = fileURLToPath(new URL('../data/tracks', import.meta.url))

/** Recordings of real devices that have altitudes. */
export const DEVICE_FILES = [
  '2013-02-06-12-11-14.fit',
  '2015-10-13-08-43-15.fit',
  'activity-small-fenix2-run.fit',
  'garmin-edge-500-activity.fit',
  'strava-android-app-201.10-b1218918.fit',
] as const

export async function readDeviceFile(name: string): Promise<ActivityFile> {
  return await readActivityFile(join(FOLDER, name))
}

/** Returns the points of a recording as the service stores them. */
export function pointsOf({ points }: Pick<ActivityFile, 'points'>): PointColumns {
  const columns = emptyColumns(points.length)
  for (const [i, point] of points.entries()) {
    columns.timeMs[i] = Date.parse(point.timestamp)
    columns.latitude[i] = point.latitude
    columns.longitude[i] = point.longitude
    columns.altitude[i] = point.altitude ?? Number.NaN
    columns.accuracy[i] = point.accuracy ?? Number.NaN
    columns.speedMps[i] = point.speed_mps ?? Number.NaN
    columns.heading[i] = point.heading ?? Number.NaN
  }
  return sortPoints(columns)
}
