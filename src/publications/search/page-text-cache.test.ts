import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PageText } from '../storage/page-texts-store.ts'
import { createSearchableTexts } from './page-text-cache.ts'
import { searchTexts } from './search-texts.ts'

/** Documents by their version, and which of them were read, from the beginning. */
function storeOf(documents: Record<string, string[]>) {
  const read: string[] = []
  return {
    read,
    async listAfter(versionId: string, after: number, limit: number): Promise<PageText[]> {
      if (after === 0) read.push(versionId)
      const pages = documents[versionId].map((text, at) => ({ page: at + 1, text }))
      return pages.filter(({ page }) => page > after).slice(0, limit)
    },
  }
}

describe('searchable texts', () => {
  test('are those of all pages of a long document, without the empty ones', async () => {
    const texts = Array.from({ length: 450 }, (_, at) => (at % 2 === 0 ? `Page ${at + 1}` : ' '))
    const searchable = createSearchableTexts(storeOf({ a: texts }))

    const found = await searchable.of('a', 450)

    assert.equal(found.length, 225)
    assert.deepEqual(found.at(-1), { page: 449, text: 'Page 449', folded: 'page 449' })
  })

  test('are read once, and again when more pages are finished', async () => {
    const store = storeOf({ a: ['one'] })
    const searchable = createSearchableTexts(store)

    await Promise.all([searchable.of('a', 1), searchable.of('a', 1)])
    await searchable.of('a', 2)

    assert.deepEqual(store.read, ['a', 'a'])
  })

  test('are forgotten when others take their room, the oldest first', async () => {
    const store = storeOf({ a: ['x'.repeat(10)], b: ['y'.repeat(10)], c: ['z'.repeat(10)] })
    const searchable = createSearchableTexts(store, 40)

    for (const version of ['a', 'b', 'a', 'c', 'a', 'b']) await searchable.of(version, 1)

    assert.deepEqual(store.read, ['a', 'b', 'c', 'b'])
  })

  test('that could not be read are asked for again', async () => {
    const store = storeOf({ a: ['one'] })
    let fails = true
    const searchable = createSearchableTexts({
      listAfter: async (...given) => {
        if (!fails) return await store.listAfter(...given)
        fails = false
        throw new Error('The database is away')
      },
    })

    await assert.rejects(searchable.of('a', 1))

    assert.equal((await searchable.of('a', 1)).length, 1)
  })
})

describe('a search', () => {
  const texts = ['A cat and a cat', 'A dog', `${'cat '.repeat(300)}`].map((text, at) => ({
    page: at + 1,
    text,
    folded: text.toLowerCase().trim(),
  }))

  test('tells the pages with their hits, and shows the first of each', () => {
    const { hits, pages, snippets } = searchTexts(texts, ' CAT ', 1)

    assert.equal(hits, 302)
    assert.deepEqual(pages, [
      { page: 1, hits: 2 },
      { page: 3, hits: 300 },
    ])
    assert.deepEqual(snippets[0], { page: 1, text: 'A cat and a cat', from: 2, to: 5 })
    assert.equal(snippets.filter(({ page }) => page === 3).length, 3)
  })

  test('shows hits from a page on', () => {
    const { hits, snippets } = searchTexts(texts, 'cat', 2)

    assert.equal(hits, 302)
    assert.deepEqual([...new Set(snippets.map(({ page }) => page))], [3])
  })

  test('shows no more than anyone goes through', () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ page: at + 1, text: 'cat', folded: 'cat' }))

    assert.equal(searchTexts(many, 'cat', 1).snippets.length, 200)
  })
})
