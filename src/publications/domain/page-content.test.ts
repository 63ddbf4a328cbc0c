import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodePageContent, decodePageLinks, encodePageContent } from './page-content.ts'

const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.04 }
const content = {
  words: [{ text: 'Größe 😀', line: 0, ...box }],
  links: [
    { page: 3, ...box },
    { uri: 'https://example.org/', ...box },
  ],
}

describe('encodePageContent', () => {
  test('keeps words and links as they are', () => {
    const stored = encodePageContent(content)

    assert.deepEqual(decodePageContent(stored), content)
    assert.deepEqual(decodePageLinks(stored), content.links)
  })

  test('takes a page without anything', () => {
    const stored = encodePageContent({ words: [], links: [] })

    assert.deepEqual(decodePageContent(stored), { words: [], links: [] })
  })

  test('is read also where it lies within other bytes', () => {
    const stored = encodePageContent(content)
    const around = Buffer.concat([Buffer.alloc(3), stored, Buffer.alloc(3)])

    assert.deepEqual(decodePageContent(around.subarray(3, 3 + stored.length)), content)
  })
})

describe('decodePageContent', () => {
  test('refuses what is of no known form', () => {
    assert.throws(() => decodePageContent(Buffer.from([9, 0, 0, 0, 0, 0])))
    assert.throws(() => decodePageContent(Buffer.alloc(0)))
  })
})
