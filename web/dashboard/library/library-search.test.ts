import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filterOf, librarySearch } from './library-search.ts'

describe('the search of a library', () => {
  test('is read from an address, without unknown values', () => {
    const search = librarySearch({ q: 2026, state: 'public', sort: 'age', order: 'asc', view: 'list', page: 3 })

    assert.deepEqual(search, { q: '2026', state: 'public', order: 'asc' })
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
