import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { safeUri } from './page-content.ts'

describe('safeUri', () => {
  test('lets addresses of the web and of mail through in their normal form', () => {
    const uris = [' http://Example.org ', 'https://example.org/a b', 'mailto:a@example.org'].map(safeUri)

    assert.deepEqual(uris, ['http://example.org/', 'https://example.org/a%20b', 'mailto:a@example.org'])
  })

  test('lets nothing through that a browser would run, open or not understand', () => {
    const texts = ['javascript:alert(1)', ' JavaScript:alert(1)', 'java\nscript:alert(1)', 'file:///etc/passwd']
    const more = ['data:text/html,x', 'example.org', '', 'http://', `https://example.org/${'a'.repeat(3000)}`]

    assert.deepEqual(new Set([...texts, ...more].map(safeUri)), new Set([undefined]))
  })
})
