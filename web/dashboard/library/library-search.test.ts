import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filterOf, librarySearch, sharedTitles } from './library-search.ts'

describe('the search of a library', () => {
  test('is read from an address, without unknown values', () => {
    const search = librarySearch({
      q: 2026,
      state: 'public',
      sort: 'age',
      order: 'asc',
      view: 'list',
      page: 3,
      collection: '../x',
    })

    assert.deepEqual(search, { q: '2026', state: 'public', order: 'asc' })
  })

  test('narrows it to a collection, or to what is in none', () => {
    const collection = '5d1c9f0a-3b7e-4c59-8f21-6a0d4e9b7c52'
    assert.deepEqual(filterOf(librarySearch({ collection })), { collection })
    assert.deepEqual(filterOf(librarySearch({ collection: 'none' })), { collection: 'none' })
  })

  test('queries unpublished entries separately from the rendering status', () => {
    assert.deepEqual(filterOf({ state: 'unpublished', view: 'table' }), { visibility: 'unpublished' })
    assert.deepEqual(filterOf({ state: 'failed', q: 'plan' }), {
      status: 'failed',
      visibility: 'visible',
      q: 'plan',
      texts: 'true',
    })
  })
})

test('titles that several publications have are known, so that their slugs tell them apart', () => {
  const entries = [{ title: 'Minutes' }, { title: 'Plan' }, { title: 'Minutes' }]

  assert.deepEqual(entries.map(sharedTitles(entries)), [true, false, true])
})
