/**
 * Calls a function at an interval, without keeping the process alive. It serves a connection or a thread while that
 * lasts; background work that an operator should see is a job, see `Jobs`.
 * @returns a function that stops it
 */
export function ticking(everyMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, everyMs).unref()
  return () => clearInterval(timer)
}

/**
 * Waits for work, at most for a time. The work goes on after it.
 * @returns the result of the work, or of `late` if it is not there in time; undefined by default
 * @throws the error of the work, if that comes in time
 */
export async function inTime<Result, Late = undefined>(
  limitMs: number,
  work: Promise<Result>,
  late: () => Late = () => undefined as Late,
): Promise<Result | Late> {
  const { promise: limit, resolve } = Promise.withResolvers<Late>()
  const timer = setTimeout(() => resolve(late()), limitMs)
  return await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
