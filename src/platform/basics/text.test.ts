import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { fileSize, foldText, isUuid, readDecimal } from './text.ts'

/** Non-breaking space between number and unit. */
const plain = (size: string) => size.replaceAll(/\s/g, ' ')

describe('a file size', () => {
  test('is in steps of a thousand, with one decimal below ten', () => {
    const sizes = [0, 1, 999, 1000, 1250, 9949, 9950, 523_400, 1_500_000, 200_000_000, 1_500_000_000]

    const said = sizes.map((bytes) => plain(fileSize(bytes, 'en')))

    assert.deepEqual(said, [
      ...[
        '0 bytes',
        '1 byte',
        '999 bytes',
        '1 kB',
        '1.3 kB',
        '9.9 kB',
        '10 kB',
        '523 kB',
        '1.5 MB',
        '200 MB',
        '1.5 GB',
      ],
    ])
  })

  test('uses the next unit if rounding reaches it', () => {
    assert.equal(plain(fileSize(999_499, 'en')), '999 kB')
    assert.equal(plain(fileSize(999_500, 'en')), '1 MB')
    assert.equal(plain(fileSize(999_500_000_000_000, 'en')), '1,000 TB')
  })

  test('is formatted in the language of the page', () => {
    assert.equal(plain(fileSize(512, 'fr')), '512 octets')
    assert.equal(plain(fileSize(1_250_000, 'fr')), '1,3 Mo')
  })
})

test('numbers are decimal, and nothing else is a number', () => {
  const texts = ['1.5', ' -3\n', '1e2', '1E-2', '.5', '5.', '+7', '-0', `1.${'0'.repeat(90)}`]
  assert.deepEqual(texts.map(readDecimal), [1.5, -3, 100, 0.01, 0.5, 5, 7, -0, 1])
  const others = ['', ' ', '0x2d', '0b1', '0o7', 'NaN', 'Infinity', '1e999', '1,5', '1_0', '1 2', '.', 'e5', '1e']
  for (const text of [...others, `1${'0'.repeat(100)}`]) assert.equal(readDecimal(text), undefined, text)
})

const ID = '7c0e3c1a-52a1-4c8e-9d0b-3f1f6f0a2b9d'

describe('isUuid', () => {
  test('accepts every random UUID', () => {
    assert.equal(isUuid(randomUUID()), true)
  })

  for (const text of ['', ID.slice(1), `${ID}0`, `${ID}\n`, ` ${ID}`, ID.toUpperCase(), ID.replaceAll('-', '')]) {
    test(`refuses ${JSON.stringify(text)}`, () => assert.equal(isUuid(text), false))
  }
})

describe('foldText', () => {
  test('ignores case, accents and wide letters', () => {
    assert.equal(foldText('ÉTÉ à Ĺ\u030codz Ｔｒａｉｌ'), 'ete a lodz trail')
  })

  test('takes linear time for a text that consists of accents', () => {
    assert.equal(foldText(`a${'\u0316\u0301'.repeat(100_000)}`), 'a')
  })
})
