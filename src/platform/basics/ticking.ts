/**
 * Calls a function at an interval, without keeping the process alive. For what a connection or a thread needs while it
 * lasts; background work that an operator should see is a job, see `Jobs`.
 * @returns a function that stops it
 */
export function ticking(everyMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, everyMs).unref()
  return () => clearInterval(timer)
}
