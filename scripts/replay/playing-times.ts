/** A longer gap in a recording, such as a night or a clock that was set, is played as this much. */
const LONGEST_GAP_MS = 60_000

/** When each point is recorded in playing time, from their times in ascending order, both in milliseconds. */
export function playingTimes(timesMs: readonly number[]): number[] {
  let playedMs = 0
  return timesMs.map((timeMs, i) => {
    playedMs += i === 0 ? 0 : Math.min(timeMs - timesMs[i - 1], LONGEST_GAP_MS)
    return playedMs
  })
}
