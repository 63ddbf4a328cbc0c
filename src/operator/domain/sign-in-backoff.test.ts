import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Failures, failurePauseMs, withFailure } from './sign-in-backoff.ts'

const RULE = { free: 3, firstPauseMs: 1000, longestPauseMs: 8000, forgetAfterMs: 60_000 }
const NOW_MS = 1_000_000

describe('the pause after failures', () => {
  test('begins after the first few, then doubles up to the longest', () => {
    let failures: Failures | undefined
    let nowMs = NOW_MS

    const pauses = Array.from({ length: 8 }, () => {
      failures = withFailure(RULE, failures, nowMs)
      const pauseMs = failurePauseMs(RULE, failures, nowMs)
      nowMs += pauseMs
      return pauseMs
    })

    assert.deepEqual(pauses, [0, 0, 1000, 2000, 4000, 8000, 8000, 8000])
    assert.equal(failurePauseMs(RULE, failures, nowMs), 0)
  })

  test('is over once nobody has failed for long, and begins anew', () => {
    const failures = { count: 50, lastMs: NOW_MS }

    const later = NOW_MS + RULE.forgetAfterMs
    assert.equal(failurePauseMs({ ...RULE, longestPauseMs: 900_000 }, failures, later), 0)
    assert.deepEqual(withFailure(RULE, failures, later), { count: 1, lastMs: later })
  })

  test('never lasts longer than the longest, whatever the clock does', () => {
    const steps = fc.array(fc.integer({ min: -100_000, max: 100_000 }), { minLength: 1, maxLength: 30 })

    fc.assert(
      fc.property(steps, (moves) => {
        let failures: Failures | undefined
        let nowMs = NOW_MS
        for (const move of moves) {
          failures = withFailure(RULE, failures, nowMs)
          nowMs += move
          const pauseMs = failurePauseMs(RULE, failures, nowMs)
          assert.ok(pauseMs >= 0 && pauseMs <= RULE.longestPauseMs)
        }
      }),
    )
  })
})
