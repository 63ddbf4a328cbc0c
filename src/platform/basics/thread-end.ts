/**
 * The end of a thread, shared with its owner. Node.js makes a zlib stream in two steps, and aborts the whole process if
 * a thread is ended between them ("close before init"). A thread that may be ended at any moment therefore says when it
 * must not be.
 */
export type ThreadEnd = Int32Array<SharedArrayBuffer>

const FREE = 0
const BUSY = 1
const ENDED = 2

/** Makes the end of a thread, for its owner to keep and to hand over. */
export function createThreadEnd(): ThreadEnd {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** Does work of a few milliseconds in a thread, which is not ended meanwhile. If its end has begun, waits for it. */
export function beforeEnd<Result>(end: ThreadEnd, work: () => Result): Result {
  while (Atomics.compareExchange(end, 0, FREE, BUSY) === ENDED) Atomics.wait(end, 0, ENDED)
  try {
    return work()
  } finally {
    Atomics.store(end, 0, FREE)
    Atomics.notify(end, 0)
  }
}

/**
 * Waits until a thread may be ended, and keeps it from further work. After `withinMs` it is to be ended all the same.
 */
export async function mayEnd(end: ThreadEnd, withinMs: number): Promise<void> {
  const lastMs = performance.now() + withinMs
  while (Atomics.compareExchange(end, 0, FREE, ENDED) === BUSY) {
    const leftMs = lastMs - performance.now()
    if (leftMs <= 0) return
    await Atomics.waitAsync(end, 0, BUSY, leftMs).value
  }
}
