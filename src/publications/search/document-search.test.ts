import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { PageText } from '../model/pages-store.ts'
import { createDocumentSearch, type DocumentQuery } from './document-search.ts'

const CLIENT = { caller: '192.0.2.1', signal: new AbortController().signal }

/**
 * A search in documents by version, with the slices that were read: the page before each, and their number of pages.
 */
function searchIn(t: TestContext, documents: Record<string, string[]>, maxCharacters?: number) {
  const read: string[] = []
  const store = {
    async listAfter(versionId: string, after: number, limit: number): Promise<PageText[]> {
      const pages = documents[versionId].map((text, at) => ({ page: at + 1, text }))
      const slice = pages.filter(({ page }) => page > after).slice(0, limit)
      read.push(`${versionId}${after}+${slice.length}`)
      return slice
    },
  }
  const { search, close } = createDocumentSearch(store, maxCharacters)
  t.after(close)
  const find = (versionId: string, query: string, options: Partial<DocumentQuery> = {}) =>
    search(
      { versionId, pagesReady: documents[versionId].length, pagesRecognized: 0, query, fromPage: 1, ...options },
      CLIENT,
    )
  return { read, search, find }
}

describe('DocumentSearch', () => {
  test('finds the hits of a long document, ignoring case and accents', async (t) => {
    const texts = Array.from({ length: 900 }, (_, at) => (at % 2 === 0 ? `Été ${at + 1}` : ' '))
    const { find } = searchIn(t, { a: texts })

    const { hits, pages, snippets, pages_searched } = await find('a', ' ETE ')

    assert.deepEqual([hits, pages.length, snippets.length, pages_searched], [450, 450, 200, 900])
    assert.deepEqual(pages.at(-1), { page: 899, hits: 1 })
    assert.deepEqual(snippets[1], { page: 3, text: 'Été 3', from: 0, to: 3 })
  })

  test('reads long pages a few at a time', async (t) => {
    const { read, find } = searchIn(t, { a: Array.from({ length: 20 }, () => 'x'.repeat(100_000)) })

    await find('a', 'y')

    assert.deepEqual(read, ['a0+4', 'a4+5', 'a9+5', 'a14+5', 'a19+1'])
  })

  test('reads no texts that are kept of an earlier search, and all when more pages are finished', async (t) => {
    const { read, find } = searchIn(t, { a: ['one', 'two'] })

    await find('a', 'one')
    await find('a', 'two')
    const before = [...read]
    await find('a', 'two', { pagesReady: 3 })

    assert.deepEqual(before, ['a0+2'])
    assert.deepEqual(read, ['a0+2', 'a0+2', 'a2+0'])
  })

  test('searches the first pages of a document that is too long, and tells how many', async (t) => {
    const { find } = searchIn(t, { a: Array.from({ length: 100 }, () => 'x'.repeat(1_000)) }, 4_000)

    const { hits, pages_searched } = await find('a', 'x'.repeat(1_000))

    assert.deepEqual([hits, pages_searched], [4, 4])
  })

  test('stops when the client leaves', async (t) => {
    const { search } = searchIn(t, { a: ['one'] })
    const leaving = new AbortController()

    const searching = search(
      { versionId: 'a', pagesReady: 1, pagesRecognized: 0, query: 'one', fromPage: 1 },
      { caller: 'b', signal: leaving.signal },
    )
    leaving.abort(new Error('left'))

    await assert.rejects(searching, /left/)
  })
})
