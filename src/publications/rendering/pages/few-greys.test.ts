import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replaceGreys, showInFewGreys } from './few-greys.ts'

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
