import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTranslate, languageName } from './translate.ts'

const ENGLISH = {
  download: 'Download PDF',
  pageOf: 'Page {{page}} of {{count}}',
  pages_one: '{{count}} page',
  pages_other: '{{count}} pages',
}

describe('a text', () => {
  const t = createTranslate(ENGLISH, 'en')

  test('is that of its key', () => assert.equal(t('download'), 'Download PDF'))

  test('has values in place of its placeholders', () => {
    assert.equal(t('pageOf', { page: '{{count}} $& iv', count: 12 }), 'Page {{count}} $& iv of 12')
  })

  test('keeps a placeholder without a value, so that the mistake is seen', () => {
    assert.equal(t('pageOf', { count: 12 }), 'Page {{page}} of 12')
  })

  test('has the plural form of its count', () => {
    assert.deepEqual(
      [0, 1, 2].map((count) => t('pages', { count })),
      ['0 pages', '1 page', '2 pages'],
    )
  })

  test('has the plural forms of its own language', () => {
    const french = createTranslate({ pages_one: 'page', pages_many: 'de pages', pages_other: 'pages' }, 'fr')

    assert.deepEqual(
      [0, 1, 2, 1_000_000].map((count) => french('pages', { count })),
      ['page', 'page', 'pages', 'de pages'],
    )
  })
})

describe('languageName', () => {
  for (const [code, name] of [
    ['en', 'English'],
    ['fr', 'Français'],
    ['de', 'Deutsch'],
    ['el', 'Ελληνικά'],
  ]) {
    test(`is ${name} for ${code}`, () => assert.equal(languageName(code), name))
  }
})
