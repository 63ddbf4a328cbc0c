/** Reproducible random choices: the same seed gives the same choices in the same order. */
export type RandomChoices = {
  /** Chooses an integer from `from` to `to`, inclusive. */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<Item>(list: readonly Item[]): Item
}

/** Creates choices from a seed. */
export function randomChoices(seed: number): RandomChoices {
  const next = randomNumbers(seed)
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (list) => list[between(0, list.length - 1)],
  }
}

/**
 * Generates numbers from 0 to 1, the same on every machine (mulberry32, Tommy Ettinger, public domain; 32 bits of state
 * suffice for a load).
 */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
