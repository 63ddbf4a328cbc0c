import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileSize } from './file-size.ts'

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
