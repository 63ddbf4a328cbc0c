import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/** Far longer than a page takes on a busy machine. */
const WITHIN_MS = 60_000
const PAUSE_MS = 50

/**
 * Waits until what is read from a page is a value, or matches a pattern: a page on a busy machine shows what follows
 * from a key or a click a while later. Fails with what was read last.
 */
export async function becomes<Value>(read: () => Promise<Value>, expected: NoInfer<Value> | RegExp): Promise<void> {
  const deadlineMs = performance.now() + WITHIN_MS
  for (;;) {
    const value = await read()
    const isIt = expected instanceof RegExp ? expected.test(String(value)) : isDeepStrictEqual(value, expected)
    if (isIt) return
    if (performance.now() > deadlineMs) {
      if (expected instanceof RegExp) return assert.match(String(value), expected)
      return assert.deepEqual(value, expected)
    }
    await wait(PAUSE_MS)
  }
}
