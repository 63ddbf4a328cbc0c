import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPageCache } from './page-cache.ts'

const page = (length: number) => ({ html: Buffer.alloc(length, 'x'), preload: '' })

describe('createPageCache', () => {
  test('drops the least recently used pages beyond its limit', () => {
    const pages = createPageCache(10)

    for (const name of ['a', 'b', 'c']) pages.set(name, page(3))
    pages.get('a')
    pages.set('d', page(4))

    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((name) => pages.get(name)?.html.length),
      [3, undefined, 3, 4],
    )
  })

  test('counts a page that is set again only once', () => {
    const pages = createPageCache(10)

    for (let times = 0; times < 5; times++) pages.set('a', page(6))
    pages.set('b', page(4))

    assert.ok(pages.get('a') !== undefined && pages.get('b') !== undefined)
  })

  test('does not keep a page larger than its limit', () => {
    const pages = createPageCache(10)

    pages.set('a', page(11))

    assert.equal(pages.get('a'), undefined)
  })
})
