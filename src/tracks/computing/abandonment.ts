/** A flag that other threads see: 1 once nobody waits for a task any more. */
export type Abandonment = Int32Array<SharedArrayBuffer>

/** Returns the flag of a signal. Ending the thread instead would cost more than most tasks take. */
export function abandonmentOf(signal: AbortSignal): Abandonment {
  const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const raise = () => void Atomics.store(flag, 0, 1)
  if (signal.aborted) raise()
  else signal.addEventListener('abort', raise, { once: true })
  return flag
}

/** Ends a task that nobody waits for. @throws Error if the flag is raised */
export function throwIfAbandoned(flag: Abandonment | undefined): void {
  if (flag !== undefined && Atomics.load(flag, 0) === 1) throw new Error('Nobody waits for this task any more')
}
