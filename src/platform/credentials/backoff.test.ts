import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addFailure, backoffMs, type Failures } from './failures-store.ts'

const RULE = { free: 3, firstPauseMs: 1000, maxPauseMs: 8000, forgetAfterMs: 60_000 }
const NOW_MS = 1_000_000

describe('backoffMs', () => {
  test('begins after the free failures, then doubles up to its maximum', () => {
    let failures: Failures | undefined
    let nowMs = NOW_MS

    const pauses = Array.from({ length: 8 }, () => {
      failures = addFailure(RULE, failures, nowMs)
      const pauseMs = backoffMs(RULE, failures, nowMs)
      nowMs += pauseMs
      return pauseMs
    })

    assert.deepEqual(pauses, [0, 0, 1000, 2000, 4000, 8000, 8000, 8000])
    assert.equal(backoffMs(RULE, failures, nowMs), 0)
  })

  test('ends after a time without a failure, and the count starts over', () => {
    const failures = { count: 50, lastMs: NOW_MS }

    const later = NOW_MS + RULE.forgetAfterMs
    assert.equal(backoffMs({ ...RULE, maxPauseMs: 900_000 }, failures, later), 0)
    assert.deepEqual(addFailure(RULE, failures, later), { count: 1, lastMs: later })
  })

  test('never exceeds its maximum, even if the clock is set back or forward', () => {
    const steps = fc.array(fc.integer({ min: -100_000, max: 100_000 }), { minLength: 1, maxLength: 30 })

    fc.assert(
      fc.property(steps, (moves) => {
        let failures: Failures | undefined
        let nowMs = NOW_MS
        for (const move of moves) {
          failures = addFailure(RULE, failures, nowMs)
          nowMs += move
          const pauseMs = backoffMs(RULE, failures, nowMs)
          assert.ok(pauseMs >= 0 && pauseMs <= RULE.maxPauseMs)
        }
      }),
    )
  })
})
