import type { OperatorTrack } from '../../api/tracks.ts'

/** Returns the statistics of the part that is shown: those of the whole track unless it is trimmed. */
export function shownStats(track: OperatorTrack): OperatorTrack['stats'] {
  return track.shown_stats ?? track.stats
}
