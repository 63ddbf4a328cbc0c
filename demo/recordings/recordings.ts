import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ActivityFile } from '../../scripts/activity-file/activity-file.ts'
import { readActivityFile } from '../../scripts/activity-file/read-activity-file.ts'

const FOLDER = fileURLToPath(new URL('../../test/data/tracks/', import.meta.url))

/** Recordings of real devices, by place. */
export const RECORDINGS = {
  mosvatnet: 'activity-small-fenix2-run.fit',
  torbay: 'Edge810-Vector-2013-08-16-15-35-10.fit',
  shanghai: '2019-02-17-062644-ELEMNT-297E-195-0.fit',
  bogota: 'coros-pace-2-cycling-misaligned-fields.fit',
  toronto: 'garmin-edge-500-activity.fit',
  oakville: 'sample-activity.fit',
  lochNess: '2013-02-06-12-11-14.fit',
  portland: '2015-10-13-08-43-15.fit',
} as const
export type RecordingName = keyof typeof RECORDINGS

/** Checks that the recordings are in this copy of the project. */
export function recordingsAreThere(): boolean {
  return Object.values(RECORDINGS).every((file) => existsSync(join(FOLDER, file)))
}

/** Reads a recording, with its points in time order. */
export async function readRecording(name: RecordingName): Promise<ActivityFile> {
  const recording = await readActivityFile(join(FOLDER, RECORDINGS[name]))
  const points = recording.points.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
  return { ...recording, points }
}
