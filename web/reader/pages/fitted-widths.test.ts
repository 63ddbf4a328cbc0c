import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fittedWidths } from './fitted-widths.ts'

describe('the widths of pages that fit', () => {
  const room = { width: 1000, height: 824 }

  test('show them whole, side by side and of one height', () => {
    assert.deepEqual(fittedWidths([1.6], room), [500])
    assert.deepEqual(fittedWidths([2, 0.8], { width: 524, height: 824 }), [149, 374])
  })

  test('leave very tall pages wide enough to be read', () => {
    assert.deepEqual(fittedWidths([15], room), [600])
    assert.deepEqual(fittedWidths([15], { width: 390, height: 800 }), [390])
  })
})
