/**
 * Returns errors with a standard deviation of `sigma`, of which each keeps a share of the one before, as the errors of
 * a receiver do. The same numbers for the same seed.
 */
export function wanderingNoise(count: number, sigma: number, { keep, seed }: { keep: number; seed: number }): number[] {
  const normal = normalNumbers(seed)
  let error = normal() * sigma
  return Array.from({ length: count }, (_, i) => {
    if (i > 0) error = error * keep + normal() * sigma * Math.sqrt(1 - keep * keep)
    return error
  })
}

/** Returns normally distributed numbers (Box and Muller, 1958), the same sequence for the same seed. */
export function normalNumbers(seed: number): () => number {
  let state = seed >>> 0
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}
