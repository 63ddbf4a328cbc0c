import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foldText, searchText } from './search-text.ts'

describe('foldText', () => {
  test('removes case, accents and full-width letters', () => {
    assert.equal(foldText('ÉTÉ à Ĺ\u030codz Ｔｒａｉｌ'), 'ete a lodz trail')
  })
})

describe('searchText', () => {
  test('puts the title first, so that tracks can be sorted by it', () => {
    assert.equal(searchText('Été', 'Phone', null), 'ete\nphone\n')
  })
})
