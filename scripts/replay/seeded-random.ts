/** Reproducible choices: the same seed gives the same choices in the same order. */
export type SeededRandom = {
  /** Chooses an integer from `from` to `to`, inclusive. */
  between(from: number, to: number): number
  chance(probability: number): boolean
}

/** Creates choices from a seed (mulberry32, Tommy Ettinger, public domain; 32 bits of state suffice for one track). */
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
