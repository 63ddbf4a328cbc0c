import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { searchTexts } from './search-texts.ts'

describe('searchTexts', () => {
  const texts = ['A cat and a cat', 'A dog', `${'cat '.repeat(300)}`].map((text, at) => ({
    page: at + 1,
    text,
    folded: text.toLowerCase().trim(),
  }))

  test('returns the hits of each page, with snippets of the first ones', () => {
    const { hits, pages, snippets } = searchTexts(texts, 'cat', 1, 200)

    assert.equal(hits, 302)
    assert.deepEqual(pages, [
      { page: 1, hits: 2 },
      { page: 3, hits: 300 },
    ])
    assert.deepEqual(snippets[0], { page: 1, text: 'A cat and a cat', from: 2, to: 5 })
    assert.equal(snippets.filter(({ page }) => page === 3).length, 3)
  })

  test('returns snippets from a given page on', () => {
    const { hits, snippets } = searchTexts(texts, 'cat', 2, 200)

    assert.equal(hits, 302)
    assert.deepEqual([...new Set(snippets.map(({ page }) => page))], [3])
  })

  test('returns no more snippets than there is room for', () => {
    assert.equal(searchTexts(texts, 'cat', 1, 4).snippets.length, 4)
    assert.equal(searchTexts(texts, 'cat', 1, 0).snippets.length, 0)
  })
})
