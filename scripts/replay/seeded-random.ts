/** Choices that can be made again: the same seed gives the same ones in the same order. */
export type SeededRandom = {
  /** A whole number from `from` up to and including `to`. */
  between(from: number, to: number): number
  chance(probability: number): boolean
}

/** Choices from a seed (mulberry32, Tommy Ettinger, public domain; its 32 bits of state are plenty for one track). */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
  }
}
