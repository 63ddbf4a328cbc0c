import { randomInt } from 'node:crypto'

/** Reproducible random choices: the same seed gives the same choices in the same order. */
export type SeededRandom = {
  /** Chooses an integer from `from` to `to`, inclusive. */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<Item>(list: readonly Item[]): Item
}

/**
 * Creates the choices of a test from DURABILITY_SEED or a new seed, which the test reports. The seed determines the
 * load, but not the timing of requests and kills.
 */
export function seededRandom(test: { diagnostic(message: string): void }): SeededRandom {
  const seed = Number(process.env.DURABILITY_SEED ?? randomInt(2 ** 31))
  test.diagnostic(`DURABILITY_SEED=${seed}`)
  const next = mulberry32(seed)
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (list) => list[between(0, list.length - 1)],
  }
}

/** Number of kills and checks in a test, from DURABILITY_ROUNDS. */
export function roundCount(usual: number): number {
  return Number(process.env.DURABILITY_ROUNDS ?? usual)
}

/** Generates random numbers (mulberry32, Tommy Ettinger, public domain; 32 bits of state suffice for a load). */
function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
