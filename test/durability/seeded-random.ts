import { randomInt } from 'node:crypto'
import { type RandomChoices, randomChoices } from '../support/random-choices.ts'

/**
 * Creates the choices of a test from DURABILITY_SEED or a new seed, which the test reports. The seed determines the
 * load, but not the timing of requests and kills.
 */
export function seededRandom(test: { diagnostic(message: string): void }): RandomChoices {
  const seed = Number(process.env.DURABILITY_SEED ?? randomInt(2 ** 31))
  test.diagnostic(`DURABILITY_SEED=${seed}`)
  return randomChoices(seed)
}

/** Number of kills and checks in a test, from DURABILITY_ROUNDS. */
export function roundCount(usual: number): number {
  return Number(process.env.DURABILITY_ROUNDS ?? usual)
}
