import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { encodeImage, reduceImage, replaceGreys, showInFewGreys } from './encode-images.ts'

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

const WIDTH = 401
const HEIGHT = 64

type Place = { column: number; row: number }

/** An image whose pixels have the colours that a function returns: one number for grey, or red, green and blue. */
function drawn(colorAt: (place: Place) => number | readonly number[]) {
  const data = new Uint8Array(3 * WIDTH * HEIGHT)
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const color = colorAt({ column: at % WIDTH, row: Math.floor(at / WIDTH) })
    data.set(typeof color === 'number' ? [color, color, color] : color, 3 * at)
  }
  return { width: WIDTH, height: HEIGHT, data, edgesPerRow: 60 }
}

/** Thin strokes with soft edges of all greys, ten columns apart: 31 of 32, somewhat bluish, is the ink. */
function text({ column, row }: Place): number | number[] {
  const edge = (column * 5 + row * 3) % 200
  return [255, edge, 0, 255][Math.min(column % 10, 3)] || [30, 30, 33]
}

const valuesOf = (data: Uint8Array) => [...new Set(data)].sort((a, b) => a - b)

describe('showInFewGreys', () => {
  test('leaves sixteen greys of text, near to its own, and white as it is', () => {
    const before = drawn(text)

    const { data, greys } = showInFewGreys(drawn(text))

    const farthest = before.data.reduce((most, value, at) => Math.max(most, Math.abs(value - data[at])), 0)
    assert.ok(valuesOf(data).length <= 16)
    assert.ok(farthest <= 12, `${farthest} off`)
    assert.ok(before.data.every((value, at) => value !== 255 || data[at] === 255))
    assert.ok(data.every((value, at) => value === data[at - (at % 3)]))
    assert.ok(valuesOf(data).every((value) => greys!.includes(value)))
  })

  test('keeps the grey of an area', () => {
    const withArea = (place: Place) => (place.row < 40 && place.column < 80 ? 243 : text(place))

    const { data } = showInFewGreys(drawn(withArea))

    assert.equal(data[0], 243)
  })

  test('leaves a page as it is that has a colour, a picture, grey paper, little text or very many pixels', () => {
    const colour = drawn((place) => (place.row === 40 && place.column === 4 ? [0, 0, 200] : text(place)))
    const yellow = drawn((place) => (place.row === 40 ? [255, 255, 240] : text(place)))
    const picture = drawn((place) => (place.row < 24 && place.column < 100 ? 100 + (place.column % 90) : text(place)))
    const paper = drawn((place) => (text(place) === 255 ? 250 : text(place)))
    const fewWords = { ...drawn(text), edgesPerRow: 29 }

    const poster = { ...drawn(text), width: 4_000, height: 2_501 }

    for (const image of [colour, yellow, picture, paper, fewWords, poster]) {
      const before = image.data.slice()
      assert.equal(showInFewGreys(image).greys, undefined)
      assert.deepEqual(image.data, before)
    }
  })

  test('gives the same wherever the bytes lie in memory', () => {
    const image = drawn(text)
    const shifted = new Uint8Array(image.data.length + 1).subarray(1)
    shifted.set(image.data)

    const shown = [image, { ...image, data: shifted }].map((one) => showInFewGreys(one).data)

    assert.deepEqual(shown[0], shown[1])
  })
})

describe('replaceGreys', () => {
  test('replaces every pixel by its green, up to the last', () => {
    const data = Uint8Array.of(...Array(12).fill(255), 9, 8, 7, ...Array(9).fill(255), 3, 2, 1)

    replaceGreys(
      data,
      Uint8Array.from({ length: 256 }, (_, grey) => (grey === 255 ? 255 : 16 * grey)),
    )

    assert.deepEqual([...data.subarray(12)], [128, 128, 128, ...Array(9).fill(255), 32, 32, 32])
  })
})
