import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/** Far longer than a page or a server takes on a busy machine. */
const WITHIN_MS = 60_000
const PAUSE_MS = 50
/** Of conditions that are quick to look at. */
const SHORT_PAUSE_MS = 20

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

/**
 * Waits until there is something, or something is so, and returns it.
 * @param awaited - the condition in words, with which it fails
 */
export async function eventually<Value>(
  awaited: string,
  find: () => Promise<Value | false | undefined> | Value | false | undefined,
): Promise<Value> {
  const deadlineMs = performance.now() + WITHIN_MS
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadlineMs) assert.fail(`not within ${WITHIN_MS / 1000} seconds: ${awaited}`)
    await wait(SHORT_PAUSE_MS)
  }
}
