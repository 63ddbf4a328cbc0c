import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foldLetters } from './fold-letters.ts'

describe('foldLetters', () => {
  test('removes case, accents and soft hyphens, and makes ligatures and quotation marks plain', () => {
    assert.equal(foldLetters('\u00c9te\u0301 \ufb01\u00adn \u2019\u201cA\u201d'), 'ete fin \'"a"')
  })

  test('folds every character as its normalised form', () => {
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue
      const character = String.fromCodePoint(codePoint)

      assert.equal(foldLetters(character), foldLetters(character.normalize('NFKD')), codePoint.toString(16))
    }
  })

  test('folds the longest text of a page, if it consists of accents', () => {
    assert.equal(foldLetters(`a${'\u0316\u0301'.repeat(100_000)}`), 'a')
  })
})
