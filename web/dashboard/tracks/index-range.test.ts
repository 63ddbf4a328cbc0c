import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { indexRangeOf } from './index-range.ts'

const time_ms = [0, 10_000, 20_000, 30_000, 40_000]
const at = (sec: number) => new Date(sec * 1000).toISOString()

describe('the points of a split', () => {
  test('reach from the point before its start to the one after its end', () => {
    assert.deepEqual(indexRangeOf({ time_ms }, { start_ts: at(12), end_ts: at(27) }), { from: 1, to: 3 })
  })

  test('touch those of the next split, and end with the track', () => {
    assert.deepEqual(indexRangeOf({ time_ms }, { start_ts: at(0), end_ts: at(20) }), { from: 0, to: 2 })
    assert.deepEqual(indexRangeOf({ time_ms }, { start_ts: at(20), end_ts: at(99) }), { from: 2, to: 4 })
  })
})
