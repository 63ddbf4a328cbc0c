/** Resolves when all promises have settled, and after `limitMs` at the latest. */
export async function allSettledOrTimeout(limitMs: number, promises: Iterable<Promise<unknown>>): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  await Promise.race([Promise.allSettled(promises), timeout])
  clearTimeout(timer)
}
