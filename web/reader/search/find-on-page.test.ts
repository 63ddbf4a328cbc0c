import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findOnPage, findPassage } from './find-on-page.ts'

/** Makes lines of words; each letter is a hundredth of the page wide. */
function wordsOf(...lines: string[]) {
  return lines.flatMap((line, at) => {
    let x = 0
    return line.split(' ').map((text) => {
      const word = { text, line: at, x, y: at / 10, width: text.length / 100, height: 0.05 }
      x += (text.length + 1) / 100
      return word
    })
  })
}

const rounded = (value: number) => Math.round(value * 100)
const found = (lines: string[], query: string) =>
  findOnPage(wordsOf(...lines), query).map((boxes) =>
    boxes.map(({ x, width, y }) => [rounded(x), rounded(width), rounded(y * 10)]),
  )

describe('findOnPage', () => {
  test('returns the box of a word or of a part of it', () => {
    assert.deepEqual(found(['a cat sat'], 'cat'), [[[2, 3, 0]]])
    assert.deepEqual(found(['concatenate'], 'cat'), [[[3, 3, 0]]])
  })

  test('finds a phrase on one line or across two', () => {
    assert.deepEqual(found(['a cat sat', 'down'], 'CAT  sat d'), [
      [
        [2, 3, 0],
        [6, 3, 0],
        [0, 1, 100],
      ],
    ])
  })

  test('finds a word hyphenated at the end of a line', () => {
    assert.deepEqual(found(['a conca-', 'tenation'], 'concatenation'), [
      [
        [2, 6, 0],
        [0, 8, 100],
      ],
    ])
  })

  test('ignores case, accents, ligatures and the form of apostrophes', () => {
    assert.equal(found(['L’Été est ﬁni'], "l'ete EST fini").length, 1)
    assert.deepEqual(found(['cat'], '  '), [])
    assert.deepEqual(found([], 'cat'), [])
  })
})

describe('findPassage', () => {
  const words = wordsOf('one fox and', 'two geese and', 'a fox')
  const passage = (first: string, last: string) =>
    findPassage(words, first, last, 1.5).map(({ x, y, width }) => [rounded(x), rounded(width), rounded(y * 10)])

  test('returns a box for every line from the first word to the last', () => {
    assert.deepEqual(passage('fox and', 'a fox'), [
      [4, 7, 0],
      [0, 13, 100],
      [0, 5, 200],
    ])
    assert.deepEqual(passage('Two  Geese', ''), [[0, 9, 100]])
  })

  test('returns nothing for words that are not there, or in another order', () => {
    assert.deepEqual(passage('three', ''), [])
    assert.deepEqual(passage('a fox', 'two geese'), [])
    assert.deepEqual(passage('', 'fox'), [])
  })
})
