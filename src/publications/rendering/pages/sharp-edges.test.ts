import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharpEdgesPerRow } from './sharp-edges.ts'

/** Returns the pixels of an image whose grey is a function of the column. */
function columns(width: number, height: number, greyAt: (column: number) => number): Uint8Array {
  return Uint8Array.from({ length: 3 * width * height }, (_, at) => greyAt(Math.floor(at / 3) % width))
}

describe('sharpEdgesPerRow', () => {
  test('counts the changes from dark to light and back', () => {
    const stripes = columns(120, 20, (column) => (column % 10 < 5 ? 0 : 255))

    assert.equal(sharpEdgesPerRow({ width: 120, height: 20 }, stripes), 23)
  })

  test('counts the same at twice the width', () => {
    const stripes = columns(240, 40, (column) => (column % 20 < 10 ? 0 : 255))

    assert.equal(sharpEdgesPerRow({ width: 240, height: 40 }, stripes), 23)
  })

  test('counts no edges in a gradient, or from one row to the next', () => {
    const gradient = columns(256, 16, (column) => column)

    assert.equal(sharpEdgesPerRow({ width: 256, height: 16 }, gradient), 0)
  })
})
