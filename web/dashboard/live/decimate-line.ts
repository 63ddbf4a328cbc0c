/** The newest positions, which are seen best, stay as they are. */
const KEPT_AT_END = 8

/**
 * A line in parts with at most `most` positions: of each part every second one goes, but for its ends and the newest,
 * until they are few enough; where parts of two are still too many, the oldest of them go.
 */
export function thinLine<Position>(parts: readonly Position[][], most: number): Position[][] {
  let thinned = [...parts]
  for (let before = Number.POSITIVE_INFINITY; count(thinned) > most && count(thinned) < before; ) {
    before = count(thinned)
    thinned = thinned.map((part, index) => everySecond(part, index === thinned.length - 1 ? KEPT_AT_END : 1))
  }
  while (thinned.length > 1 && count(thinned) > most) thinned.shift()
  return thinned
}

function everySecond<Position>(part: readonly Position[], keptAtEnd: number): Position[] {
  return part.filter((_position, index) => index % 2 === 0 || index >= part.length - keptAtEnd)
}

function count(parts: readonly unknown[][]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}
