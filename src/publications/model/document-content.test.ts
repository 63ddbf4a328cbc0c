import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  encodePageContent,
  HEAD_BYTES,
  packedLinksBytes,
  pageCharacters,
  pageContentJson,
  unpackLinks,
} from './document-content.ts'

const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.04 }
const content = {
  words: [{ text: 'Größe 😀', line: 0, ...box }],
  links: [
    { page: 3, ...box },
    { uri: 'https://example.org/', ...box },
  ],
}

async function decode(stored: Uint8Array) {
  const { words, links } = await pageContentJson(stored)
  return { words: JSON.parse(words.toString()), links: JSON.parse(links.toString()) }
}

describe('encodePageContent', () => {
  test('keeps words and links as they are', async () => {
    const stored = encodePageContent(content)

    assert.deepEqual(await decode(stored), content)
  })

  test('has the links between the head and the words', () => {
    const stored = encodePageContent(content)

    const bytes = packedLinksBytes(stored.subarray(0, HEAD_BYTES))

    assert.deepEqual(unpackLinks(stored.subarray(HEAD_BYTES, HEAD_BYTES + bytes)), content.links)
    assert.equal(packedLinksBytes(encodePageContent({ ...content, links: [] })), 0)
  })

  test('has no links if they unpack to megabytes', () => {
    const links = Array.from({ length: 2_000 }, () => ({ uri: `https://example.org/${'a'.repeat(2_000)}`, ...box }))

    const packed = encodePageContent({ words: [], links }).subarray(HEAD_BYTES)

    assert.deepEqual(unpackLinks(packed), [])
  })

  test('takes a page without anything', async () => {
    const stored = encodePageContent({ words: [], links: [] })

    assert.deepEqual(await decode(stored), { words: [], links: [] })
  })

  test('is read also where it lies within other bytes', async () => {
    const stored = encodePageContent(content)
    const around = Buffer.concat([Buffer.alloc(3), stored, Buffer.alloc(3)])

    assert.deepEqual(await decode(around.subarray(3, 3 + stored.length)), content)
  })
})

describe('pageContentJson', () => {
  test('refuses what is of no known form', async () => {
    const refusal = { message: 'This is not the stored content of a page' }
    await assert.rejects(pageContentJson(Buffer.from([9, 0, 0, 0, 0, 0])), refusal)
    await assert.rejects(pageContentJson(Buffer.alloc(0)), refusal)
  })
})

test('a page keeps its share of the text that a document may have, within limits', () => {
  assert.deepEqual([1, 400, 1_000, 5_000, 100_000].map(pageCharacters), [120_000, 120_000, 50_000, 10_000, 10_000])
})
