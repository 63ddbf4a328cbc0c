import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LibraryEntry } from '../generated/types.gen.ts'
import { type LoadedLibrary, mayHaveMoved, withEntry, withoutEntry } from './live-library.ts'

const entry = (id: string, part: Partial<LibraryEntry> = {}) =>
  ({ id, title: id, slug: id, status: 'processing', unpublished_at: null, pages_ready: 0, ...part }) as LibraryEntry
const library = (...ids: string[]): LoadedLibrary => ({
  pages: [{ publications: ids.map((id) => entry(id)), total: ids.length, next_cursor: null }],
  pageParams: [undefined],
})

describe('a loaded library', () => {
  test('updates an entry in place', () => {
    const now = withEntry(library('a', 'b'), entry('b', { pages_ready: 7 }))

    assert.deepEqual(
      now.pages[0].publications.map(({ id, pages_ready }) => [id, pages_ready]),
      [
        ['a', 0],
        ['b', 7],
      ],
    )
  })

  test('is unchanged by entries that it does not hold', () => {
    const list = library('a')

    assert.equal(withEntry(list, entry('z')), list)
    assert.equal(withoutEntry(list, 'z'), list)
  })

  test('loses deleted entries', () => {
    const { publications, total } = withoutEntry(library('a', 'b'), 'a').pages[0]

    assert.deepEqual([publications.map(({ id }) => id), total], [['b'], 1])
  })

  test('is refetched for entries that are new or may have moved, not for every rendered page', () => {
    const list = library('a')

    assert.equal(mayHaveMoved(list, entry('a', { pages_ready: 9 })), false)
    assert.equal(mayHaveMoved(list, entry('a', { status: 'ready' })), true)
    assert.equal(mayHaveMoved(list, entry('a', { unpublished_at: '2026-01-01T00:00:00.000Z' })), true)
    assert.equal(mayHaveMoved(list, entry('new')), true)
  })
})
