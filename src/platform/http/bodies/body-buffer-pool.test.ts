import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { releaseBody, takeBodyRoom } from './body-buffer-pool.ts'

describe('takeBodyRoom', () => {
  test('makes room for large bodies of known length only', () => {
    assert.equal(takeBodyRoom(0), undefined)
    assert.equal(takeBodyRoom(65_536), undefined)
    assert.equal(takeBodyRoom(4_194_305), undefined)
    assert.equal(takeBodyRoom(Number.NaN), undefined)
    assert.ok(takeBodyRoom(100_000)!.length >= 100_000)
  })

  test('never gives the same room to two bodies at once, also when one is given back twice', () => {
    const first = takeBodyRoom(200_000)!
    releaseBody(first.subarray(0, 200_000))
    releaseBody(first.subarray(0, 200_000))

    const [second, third] = [takeBodyRoom(200_000)!, takeBodyRoom(200_000)!]

    assert.equal(second.buffer, first.buffer)
    assert.notEqual(third.buffer, second.buffer)
  })
})
