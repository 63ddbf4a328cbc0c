import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BitmapPool } from './bitmap-pool.ts'

describe('BitmapPool', () => {
  test('gives returned memory out again, and one bitmap to one caller', () => {
    const pool = new BitmapPool()
    const [first, second] = [pool.take(), pool.take()]
    pool.give(first)

    assert.notEqual(first, second)
    assert.equal(pool.take(), first)
    assert.notEqual(pool.take(), first)
  })

  test('keeps few unused bitmaps, and none once rendering has ended', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const pool = new BitmapPool()
    const taken = Array.from({ length: 50 }, () => pool.take())
    for (const bitmap of taken) pool.give(bitmap)
    const kept = pool.unused
    t.mock.timers.tick(10_000)

    assert.ok(kept > 0 && kept < 50)
    assert.equal(pool.unused, 0)
  })
})
