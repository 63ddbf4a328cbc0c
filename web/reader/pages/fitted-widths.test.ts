import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fittedWidths } from './fitted-widths.ts'

describe('fittedWidths', () => {
  const space = { width: 1000, height: 824 }

  test('fits pages side by side at one height', () => {
    assert.deepEqual(fittedWidths([1.6], space), [500])
    assert.deepEqual(fittedWidths([2, 0.8], { width: 524, height: 824 }), [149, 374])
  })

  test('keeps very tall pages wide enough to read', () => {
    assert.deepEqual(fittedWidths([15], space), [600])
    assert.deepEqual(fittedWidths([15], { width: 390, height: 800 }), [390])
  })
})
