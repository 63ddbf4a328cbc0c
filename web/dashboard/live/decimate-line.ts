/** The newest positions stay as they are, because they are looked at most. */
const KEPT_AT_END = 8

/**
 * Reduces a line in parts to at most `max` positions. Every second position of each part goes, except its ends and the
 * newest ones, until the line is short enough. If parts of two positions are still too many, the oldest parts go.
 */
export function decimateLine<Position>(parts: readonly Position[][], max: number): Position[][] {
  let decimated = [...parts]
  for (let before = Number.POSITIVE_INFINITY; count(decimated) > max && count(decimated) < before; ) {
    before = count(decimated)
    decimated = decimated.map((part, index) => everySecond(part, index === decimated.length - 1 ? KEPT_AT_END : 1))
  }
  while (decimated.length > 1 && count(decimated) > max) decimated.shift()
  return decimated
}

function everySecond<Position>(part: readonly Position[], keptAtEnd: number): Position[] {
  return part.filter((_position, index) => index % 2 === 0 || index >= part.length - keptAtEnd)
}

function count(parts: readonly unknown[][]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}
