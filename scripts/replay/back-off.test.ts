import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askedWaitMs, backOffMs, isWorthAnotherTry } from './back-off.ts'

describe('backOffMs', () => {
  test('doubles from half a second to eight seconds', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 100].map((attempts) => backOffMs(attempts)),
      [500, 1000, 2000, 4000, 8000, 8000, 8000],
    )
  })
})

describe('askedWaitMs', () => {
  const nowMs = Date.UTC(2026, 4, 3, 6)

  test('reads seconds and dates', () => {
    assert.equal(askedWaitMs('3', nowMs), 3000)
    assert.equal(askedWaitMs('Sun, 03 May 2026 06:00:05 GMT', nowMs), 5000)
  })

  test('waits neither for the past nor longer than a minute', () => {
    assert.equal(askedWaitMs('Sun, 03 May 2026 05:00:00 GMT', nowMs), 0)
    assert.equal(askedWaitMs('86400', nowMs), 60_000)
  })

  test('returns undefined for an unreadable header', () => {
    assert.equal(askedWaitMs(undefined, nowMs), undefined)
    assert.equal(askedWaitMs('soon', nowMs), undefined)
  })
})

describe('isWorthAnotherTry', () => {
  test('is true for temporary failures, not for refusals', () => {
    assert.ok([429, 502, 503, 504].every(isWorthAnotherTry))
    assert.ok(![200, 204, 400, 401, 404, 409, 413, 500].some(isWorthAnotherTry))
  })
})
