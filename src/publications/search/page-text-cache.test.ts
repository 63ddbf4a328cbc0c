import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PageText } from '../storage/page-texts-store.ts'
import { createPageTextCache } from './page-text-cache.ts'
import { searchTexts } from './search-texts.ts'

/** A store of documents by version, which records the versions that were read. */
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

describe('PageTextCache', () => {
  test('returns the texts of all pages of a long document, without empty ones', async () => {
    const texts = Array.from({ length: 450 }, (_, at) => (at % 2 === 0 ? `Page ${at + 1}` : ' '))
    const cache = createPageTextCache(storeOf({ a: texts }))

    const found = await cache.textsOf('a', 450)

    assert.equal(found.length, 225)
    assert.deepEqual(found.at(-1), { page: 449, text: 'Page 449', folded: 'page 449' })
  })

  test('reads texts once, and again when more pages are finished', async () => {
    const store = storeOf({ a: ['one'] })
    const cache = createPageTextCache(store)

    await Promise.all([cache.textsOf('a', 1), cache.textsOf('a', 1)])
    await cache.textsOf('a', 2)

    assert.deepEqual(store.read, ['a', 'a'])
  })

  test('forgets the least recently used texts when the limit is reached', async () => {
    const store = storeOf({ a: ['x'.repeat(10)], b: ['y'.repeat(10)], c: ['z'.repeat(10)] })
    const cache = createPageTextCache(store, 40)

    for (const version of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.textsOf(version, 1)

    assert.deepEqual(store.read, ['a', 'b', 'c', 'b'])
  })

  test('reads texts again after a failure', async () => {
    const store = storeOf({ a: ['one'] })
    let fails = true
    const cache = createPageTextCache({
      listAfter: async (...given) => {
        if (!fails) return await store.listAfter(...given)
        fails = false
        throw new Error('The database is unavailable')
      },
    })

    await assert.rejects(cache.textsOf('a', 1))

    assert.equal((await cache.textsOf('a', 1)).length, 1)
  })
})

describe('searchTexts', () => {
  const texts = ['A cat and a cat', 'A dog', `${'cat '.repeat(300)}`].map((text, at) => ({
    page: at + 1,
    text,
    folded: text.toLowerCase().trim(),
  }))

  test('returns the hits of each page, with snippets of the first ones', () => {
    const { hits, pages, snippets } = searchTexts(texts, ' CAT ', 1)

    assert.equal(hits, 302)
    assert.deepEqual(pages, [
      { page: 1, hits: 2 },
      { page: 3, hits: 300 },
    ])
    assert.deepEqual(snippets[0], { page: 1, text: 'A cat and a cat', from: 2, to: 5 })
    assert.equal(snippets.filter(({ page }) => page === 3).length, 3)
  })

  test('returns snippets from a given page on', () => {
    const { hits, snippets } = searchTexts(texts, 'cat', 2)

    assert.equal(hits, 302)
    assert.deepEqual([...new Set(snippets.map(({ page }) => page))], [3])
  })

  test('returns at most 200 snippets', () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ page: at + 1, text: 'cat', folded: 'cat' }))

    assert.equal(searchTexts(many, 'cat', 1).snippets.length, 200)
  })
})
