/**
 * Calls `visit` with the indexes of the first and last altitude of each rise and fall of each run. A reversal counts
 * once it is `reversalMeters` away from the last extreme, and then in full. So no part of a slow climb is lost, as
 * would happen if small steps were ignored one by one.
 */
export function visitClimbs(
  { meters, reversalMeters }: { meters: Float64Array; reversalMeters: number },
  bounds: Int32Array,
  visit: (from: number, to: number) => void,
): void {
  const reached = (rise: number) => rise > 0 && rise >= reversalMeters
  for (let run = 0; run + 1 < bounds.length; run++) {
    let direction = 0
    let turn = bounds[run]
    let [extreme, low, high] = [turn, turn, turn]
    for (let i = turn; i < bounds[run + 1]; i++) {
      const altitude = meters[i]
      if (direction === 0) {
        if (altitude < meters[low]) low = i
        if (altitude > meters[high]) high = i
        if (!reached(altitude - meters[low]) && !reached(meters[high] - altitude)) continue
        direction = reached(altitude - meters[low]) ? 1 : -1
        turn = direction === 1 ? low : high
        extreme = i
      } else if ((altitude - meters[extreme]) * direction > 0) {
        extreme = i
      } else if (reached((meters[extreme] - altitude) * direction)) {
        visit(turn, extreme)
        turn = extreme
        extreme = i
        direction = -direction
      }
    }
    if (extreme !== turn) visit(turn, extreme)
  }
}
