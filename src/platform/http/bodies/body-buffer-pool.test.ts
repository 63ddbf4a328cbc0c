import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { releaseBody, takeBodyBuffer } from './body-buffer-pool.ts'

describe('takeBodyBuffer', () => {
  test('pools buffers only for large bodies of known length', () => {
    assert.equal(takeBodyBuffer(0), undefined)
    assert.equal(takeBodyBuffer(65_536), undefined)
    assert.equal(takeBodyBuffer(4_194_305), undefined)
    assert.equal(takeBodyBuffer(Number.NaN), undefined)
    assert.ok(takeBodyBuffer(100_000)!.length >= 100_000)
  })

  test('never gives the same buffer to two bodies, even if one is released twice', () => {
    const first = takeBodyBuffer(200_000)!
    releaseBody(first.subarray(0, 200_000))
    releaseBody(first.subarray(0, 200_000))

    const [second, third] = [takeBodyBuffer(200_000)!, takeBodyBuffer(200_000)!]

    assert.equal(second.buffer, first.buffer)
    assert.notEqual(third.buffer, second.buffer)
  })
})
