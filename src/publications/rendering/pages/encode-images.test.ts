import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { encodeImage, encodeImages } from './encode-images.ts'

/** Left half red, right half white. */
function redAndWhite(width: number, height: number) {
  const data = new Uint8Array(3 * width * height).fill(255)
  for (let at = 0; at < width * height; at++) if (at % width < width / 2) data.fill(0, 3 * at + 1, 3 * at + 3)
  return { width, height, data }
}

describe('encodeImage', () => {
  test('keeps size and colours in every format', async () => {
    for (const format of ['jpeg', 'webp'] as const) {
      const { bytes, width, height } = await encodeImage(redAndWhite(64, 48), format)

      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
      assert.deepEqual([width, height, info.width, info.height, info.format], [64, 48, 64, 48, 'raw'])
      assert.equal((await sharp(bytes).metadata()).format, format)
      assert.ok(data[0] > 240 && data[1] < 20 && data[2] < 20, `${format} ${data.subarray(0, 3)}`)
    }
  })

  test('makes an image smaller in proportion', async () => {
    const { width, height } = await encodeImage(redAndWhite(64, 48), 'webp', 32)

    assert.deepEqual([width, height], [32, 24])
  })
})

describe('encodeImages', () => {
  test('gives each format at each width, none larger than the page was drawn', async () => {
    const images = await encodeImages(redAndWhite(64, 48), ['jpeg', 'webp'], [16, 100, 200])

    assert.deepEqual(
      images.map(({ format, width }) => `${format} ${width}`),
      ['jpeg 16', 'jpeg 64', 'webp 16', 'webp 64'],
    )
  })
})
