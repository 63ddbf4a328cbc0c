import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentLanguage } from './document-language.ts'

describe('documentLanguage', () => {
  test('returns the canonical tag', () => {
    assert.equal(documentLanguage('de-ch'), 'de-CH')
    assert.equal(documentLanguage('en_US'), 'en-US')
    assert.equal(documentLanguage('ZH-hant-tw'), 'zh-Hant-TW')
  })

  test('returns undefined for an invalid tag', () => {
    for (const tag of [undefined, '', '"><script>', 'de ch', 'a', '💥', 'English (US)']) {
      assert.equal(documentLanguage(tag), undefined)
    }
  })
})
