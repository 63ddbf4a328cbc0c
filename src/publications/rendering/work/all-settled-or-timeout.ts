/** Resolves when all have come to an end, one way or the other, and after `limitMs` at the latest. */
export async function settledWithin(limitMs: number, promises: Iterable<Promise<unknown>>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  await Promise.race([Promise.allSettled(promises), late])
  clearTimeout(timer)
}
