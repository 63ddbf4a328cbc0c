import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { FailureThrottle } from './failure-throttle.ts'

const RULE = { free: 3, firstPauseMs: 1000, longestPauseMs: 8000, forgetAfterMs: 60_000 }

function start() {
  const clock = { nowMs: 1_000_000 }
  return { clock, throttle: new FailureThrottle(RULE, () => clock.nowMs) }
}

describe('a throttle of failures', () => {
  test('lets the first failures pass, then doubles the pause up to the longest', () => {
    const { clock, throttle } = start()

    const pauses = Array.from({ length: 8 }, () => {
      throttle.count('a')
      const pauseMs = throttle.pauseMs('a')
      clock.nowMs += pauseMs
      return pauseMs
    })

    assert.deepEqual(pauses, [0, 0, 1000, 2000, 4000, 8000, 8000, 8000])
  })

  test('counts each caller apart', () => {
    const { throttle } = start()

    for (let time = 0; time < 5; time++) throttle.count('a')

    assert.deepEqual([throttle.pauseMs('a'), throttle.pauseMs('b')], [4000, 0])
  })

  test('forgets who has not failed for long', () => {
    const { clock, throttle } = start()
    for (let time = 0; time < 5; time++) throttle.count('a')

    clock.nowMs += RULE.forgetAfterMs
    throttle.count('a')

    assert.equal(throttle.pauseMs('a'), 0)
  })

  test('takes back what turned out well', () => {
    const { throttle } = start()

    for (let time = 0; time < 100; time++) {
      throttle.count('a')
      throttle.forgive('a')
    }

    assert.equal(throttle.pauseMs('a'), 0)
  })

  test('never makes anyone wait longer than the longest pause, whatever the clock does', () => {
    const steps = fc.array(fc.integer({ min: -100_000, max: 100_000 }), { minLength: 1, maxLength: 30 })

    fc.assert(
      fc.property(steps, (moves) => {
        const { clock, throttle } = start()
        for (const move of moves) {
          throttle.count('a')
          clock.nowMs += move
          const pauseMs = throttle.pauseMs('a')
          assert.ok(pauseMs >= 0 && pauseMs <= RULE.longestPauseMs)
        }
      }),
    )
  })

  test('remembers a limited number of callers, those that failed last', () => {
    const { throttle } = start()
    const failThrice = (caller: string) => {
      for (let time = 0; time < 3; time++) throttle.count(caller)
    }

    failThrice('first')
    for (let index = 0; index < 20_000; index++) throttle.count(`caller ${index}`)
    failThrice('last')

    assert.deepEqual([throttle.pauseMs('first'), throttle.pauseMs('last')], [0, 1000])
  })
})
