/** Longest gap to play. A longer one, such as a night or a changed clock, is shortened to this. */
const LONGEST_GAP_MS = 60_000

/** Converts times of points, in ascending order, to playing time; both in milliseconds. */
export function playingTimes(timesMs: readonly number[]): number[] {
  let playedMs = 0
  return timesMs.map((timeMs, i) => {
    playedMs += i === 0 ? 0 : Math.min(timeMs - timesMs[i - 1], LONGEST_GAP_MS)
    return playedMs
  })
}
