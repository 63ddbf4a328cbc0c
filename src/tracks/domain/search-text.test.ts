import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foldText, searchText } from './search-text.ts'

describe('foldText', () => {
  test('knows no case, no accents and no wide letters', () => {
    assert.equal(foldText('ÉTÉ à Ĺ\u030codz Ｔｒａｉｌ'), 'ete a lodz trail')
  })
})

describe('searchText', () => {
  test('has the title before the rest, so that it can be sorted by', () => {
    assert.equal(searchText('Été', 'Phone', null), 'ete\nphone\n')
  })
})
