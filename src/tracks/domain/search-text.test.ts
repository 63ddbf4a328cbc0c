import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foldText, searchText } from './search-text.ts'

describe('foldText', () => {
  test('ignores case, accents and wide letters', () => {
    assert.equal(foldText('ÉTÉ à Ĺ\u030codz Ｔｒａｉｌ'), 'ete a lodz trail')
  })
})

describe('searchText', () => {
  test('starts with the title, so that it sorts by title', () => {
    assert.equal(searchText('Été', 'Phone', null), 'ete\nphone\n')
  })
})
