import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { imageSize, MAX_PIXELS, MAX_SIDE } from './image-forms.ts'

describe('imageSize', () => {
  test('gives the wanted width and keeps the shape of the page', () => {
    const size = imageSize({ widthPt: 600, heightPt: 800 }, 1200)

    assert.deepEqual(size, { width: 1200, height: 1600 })
  })

  test('makes a very tall page narrower instead of larger than an image can be', () => {
    const { width, height } = imageSize({ widthPt: 100, heightPt: 10_000 }, 1200)

    assert.ok(height <= MAX_SIDE && height > MAX_SIDE - 200, `${height} rows`)
    assert.equal(width, 163)
  })

  test('takes US Letter for a page without a usable size', () => {
    const sizes = [
      { widthPt: 0, heightPt: 800 },
      { widthPt: 600, heightPt: Number.NaN },
      { widthPt: Number.POSITIVE_INFINITY, heightPt: 10 },
    ].map((page) => imageSize(page, 612))

    assert.deepEqual(new Set(sizes.map(({ height }) => height)), new Set([792]))
  })

  test('keeps to its limits whatever the page and the wanted width', () => {
    const length = fc.float({ min: Math.fround(1e-30), max: Math.fround(3e38), noNaN: true })
    const wanted = fc.integer({ min: 1, max: 100_000 })

    fc.assert(
      fc.property(length, length, wanted, (widthPt, heightPt, wantedWidth) => {
        const { width, height } = imageSize({ widthPt, heightPt }, wantedWidth)

        assert.ok(width >= 1 && height >= 1 && width <= wantedWidth)
        assert.ok(width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS)
      }),
    )
  })
})
