import { placeInTime } from '../recordings/place-in-time.ts'
import { type RecordingName, readRecording } from '../recordings/recordings.ts'
import type { PlannedTrack } from './phone.ts'

const DAY_MS = 86_400_000

/** Activities of the last weeks, each at its recorded place and speed. */
const OUTINGS: readonly { recording: RecordingName; title: string; daysAgo: number; member: number }[] = [
  { recording: 'torbay', title: 'Portugal Cove and Torbay, two laps', daysAgo: 2, member: 4 },
  { recording: 'mosvatnet', title: 'Stavanger, twice around Mosvatnet', daysAgo: 4, member: 5 },
  { recording: 'toronto', title: 'Toronto, up the Don and back', daysAgo: 6, member: 11 },
  { recording: 'lochNess', title: 'Above Loch Ness', daysAgo: 9, member: 7 },
  { recording: 'oakville', title: 'Toronto to Oakville', daysAgo: 13, member: 11 },
  { recording: 'shanghai', title: 'Shanghai, along the Huangpu', daysAgo: 17, member: 2 },
  { recording: 'bogota', title: 'Bogotá, over the hills to La Calera', daysAgo: 20, member: 16 },
  { recording: 'portland', title: 'Portland, into town', daysAgo: 24, member: 9 },
]

/** Reads the activities one by one, latest first. */
export async function* readSeason(nowMs: number): AsyncGenerator<PlannedTrack> {
  for (const { recording, title, daysAgo, member } of OUTINGS) {
    const { points, activityType } = await readRecording(recording)
    const startMs = nowMs - daysAgo * DAY_MS
    yield {
      deviceTrackId: `outing-${recording}`,
      userId: `member ${member}`,
      activityType,
      title,
      points: placeInTime(points, { startMs, factor: 1 }),
    }
  }
}
