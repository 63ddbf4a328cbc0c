import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createKeptPages } from './page-cache.ts'

const page = (length: number) => ({ html: 'x'.repeat(length), preload: '' })

describe('createKeptPages', () => {
  test('keeps what was asked for last, within its limit', () => {
    const pages = createKeptPages(10)

    for (const name of ['a', 'b', 'c']) pages.keep(name, page(3))
    pages.find('a')
    pages.keep('d', page(4))

    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((name) => pages.find(name)?.html.length),
      [3, undefined, 3, 4],
    )
  })

  test('counts a page once that is written twice', () => {
    const pages = createKeptPages(10)

    for (let times = 0; times < 5; times++) pages.keep('a', page(6))
    pages.keep('b', page(4))

    assert.ok(pages.find('a') !== undefined && pages.find('b') !== undefined)
  })

  test('does not keep what is larger than all it may keep', () => {
    const pages = createKeptPages(10)

    pages.keep('a', page(11))

    assert.equal(pages.find('a'), undefined)
  })
})
