import type { DelayedReplay } from '../replays.ts'
import type { DelayedEnds } from './delayed-ends.ts'
import { delayedColumns } from './delayed-row.ts'

/** Creates the reader of what a replay shows at a time: the tracks that had points by then, as they were. */
export function createDelayedReplay(delayedEnds: DelayedEnds): DelayedReplay {
  return async (tracks, untilMs) => {
    const ends = await delayedEnds(tracks, untilMs)
    const delayed = tracks.map((track) => ({ ...track, ...delayedColumns(track, untilMs, ends.get(track.id)!) }))
    return delayed.filter(({ point_count }) => point_count > 0)
  }
}
