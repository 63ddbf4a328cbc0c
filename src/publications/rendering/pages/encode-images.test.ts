import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { encodeImage, reduceImage } from './encode-images.ts'

/** Left half red, right half white. */
function redAndWhite(width: number, height: number) {
  const data = new Uint8Array(3 * width * height).fill(255)
  for (let at = 0; at < width * height; at++) if (at % width < width / 2) data.fill(0, 3 * at + 1, 3 * at + 3)
  return { width, height, data, edgesPerRow: 1 }
}

/** A soft gradient with some grain, the same every time. */
function noise(width: number, height: number) {
  const data = Uint8Array.from({ length: 3 * width * height }, (_, at) => (at / (3 * width) + ((at * 7919) % 13)) & 255)
  return { width, height, data, edgesPerRow: 1 }
}

/** Returns whether the first table is that of ITU T.81, table K.3: number of codes of each length from 1 to 16 bits. */
function hasStandardTables(jpeg: Uint8Array): boolean {
  const at = Buffer.from(jpeg).indexOf(Buffer.from([0xff, 0xc4]))
  return Buffer.from(jpeg.subarray(at + 5, at + 21)).equals(Buffer.from('00010501010101010100000000000000', 'hex'))
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

describe('encodeImage as JPEG', () => {
  test('gives pictures Huffman tables of their own, and pages full of text the standard ones', async () => {
    const page = noise(256, 256)

    const [picture, text] = await Promise.all(
      [19, 20].map((edgesPerRow) => encodeImage({ ...page, edgesPerRow }, 'jpeg')),
    )

    assert.deepEqual([hasStandardTables(picture.bytes), hasStandardTables(text.bytes)], [false, true])
    assert.ok(picture.bytes.length < text.bytes.length)
  })
})

describe('encodeImage as WebP', () => {
  test('spends the lowest effort on pages full of text', async () => {
    const page = noise(256, 256)
    const withEffort = (effort: number) =>
      sharp(page.data, { raw: { width: 256, height: 256, channels: 3 } })
        .webp({ quality: 75, effort })
        .toBuffer()

    const [picture, text] = await Promise.all(
      [19, 20].map((edgesPerRow) => encodeImage({ ...page, edgesPerRow }, 'webp')),
    )

    assert.deepEqual(Buffer.from(picture.bytes), await withEffort(1))
    assert.deepEqual(Buffer.from(text.bytes), await withEffort(0))
    assert.notDeepEqual(picture.bytes, text.bytes)
  })
})

describe('encodeImage of a page of grey text', () => {
  /** Stripes of the greys 0 and 128 on white. */
  const stripes = (width: number, height: number) => {
    const data = Uint8Array.from({ length: 3 * width * height }, (_, at) => [0, 128, 255, 255][Math.floor(at / 3) % 4])
    return {
      width,
      height,
      data,
      edgesPerRow: 80,
      greys: Uint8Array.from({ length: 256 }, (_, at) => (at < 64 ? 0 : at < 192 ? 128 : 255)),
    }
  }

  test('loses nothing as WebP', async () => {
    const page = stripes(64, 48)

    const { bytes } = await encodeImage(page, 'webp')

    // RFC 9649, section 2.6: the chunk of a file without loss.
    assert.equal(Buffer.from(bytes.subarray(12, 16)).toString(), 'VP8L')
    assert.deepEqual(new Uint8Array(await sharp(bytes).raw().toBuffer()), page.data)
  })

  test('has only the greys of the page when it is smaller', async () => {
    const reduced = await reduceImage(stripes(64, 48), 50)

    assert.deepEqual([...new Set(reduced.data)].sort(), [0, 128, 255])
    const { bytes } = await encodeImage(reduced, 'webp')
    assert.deepEqual(await sharp(bytes).raw().toBuffer(), reduced.data)
  })
})

describe('reduceImage', () => {
  test('gives the pixels that are encoded at this width', async () => {
    const page = redAndWhite(64, 48)

    const reduced = await reduceImage(page, 32)

    assert.deepEqual([reduced.width, reduced.height, reduced.data.length], [32, 24, 32 * 24 * 3])
    const [before, after] = await Promise.all([encodeImage(page, 'webp', 32), encodeImage(reduced, 'webp')])
    assert.deepEqual(before.bytes, after.bytes)
  })
})
