import { unavailable } from '#platform/errors.ts'

/** Runs a piece of work, at once or when others have ended. */
export type ParallelLimit = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * At most `running` pieces of work at a time and `waiting` behind them; one more is refused with UNAVAILABLE, so that a
 * flood takes no more memory and computing time than this.
 */
export function limitParallel({ running, waiting }: { running: number; waiting: number }): ParallelLimit {
  let free = running
  const queue: (() => void)[] = []

  async function takeTurn(): Promise<void> {
    if (free > 0) {
      free--
      return
    }
    if (queue.length >= waiting)
      throw unavailable({
        detail: 'Too many are signing in at once; try again shortly.',
        headers: { 'retry-after': '2' },
      })
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  /** The turn passes to who waits, or is free again. */
  function endTurn(): void {
    const next = queue.shift()
    if (next === undefined) free++
    else next()
  }

  return async (work) => {
    await takeTurn()
    try {
      return await work()
    } finally {
      endTurn()
    }
  }
}
