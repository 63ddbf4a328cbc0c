import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Word } from './page-content.ts'
import { pageText } from './page-text.ts'

type MadeLine = { text: string; left?: number; top: number; right?: number; height?: number }

function wordsOf(lines: MadeLine[]): Word[] {
  return lines.flatMap(({ text, left = 0.1, top, right = 0.9, height = 0.015 }, line) => {
    const parts = text.split(' ')
    const width = (right - left) / parts.length
    return parts.map((part, at) => ({ text: part, line, x: left + at * width, y: top, width, height }))
  })
}

describe('pageText', () => {
  test('joins the lines of a paragraph', () => {
    const words = wordsOf([
      { text: 'A sentence that goes', top: 0.1 },
      { text: 'on, and ends', top: 0.12 },
      { text: 'here.', top: 0.14, right: 0.3 },
    ])

    assert.equal(pageText(words), 'A sentence that goes on, and ends here.')
  })

  test('begins a paragraph after a gap', () => {
    const words = wordsOf([
      { text: 'One', top: 0.1 },
      { text: 'two', top: 0.12 },
      { text: 'three', top: 0.14 },
      { text: 'Four', top: 0.18 },
    ])

    assert.equal(pageText(words), 'One two three\n\nFour')
  })

  test('begins a paragraph where a sentence has ended and the next line is moved in', () => {
    const words = wordsOf([
      { text: 'It ends.', top: 0.1 },
      { text: 'Another begins', top: 0.12, left: 0.14 },
      { text: 'and goes on', top: 0.14 },
    ])

    assert.equal(pageText(words), 'It ends.\n\nAnother begins and goes on')
  })

  test('parts a heading from what it is above', () => {
    const words = wordsOf([
      { text: 'Heading', top: 0.1, height: 0.03 },
      { text: 'text', top: 0.12 },
      { text: 'goes on', top: 0.14 },
    ])

    assert.equal(pageText(words), 'Heading\n\ntext goes on')
  })

  test('keeps the lines of a large heading together', () => {
    const words = wordsOf([
      { text: 'A heading of', top: 0.1, height: 0.04 },
      { text: 'two lines', top: 0.145, height: 0.04 },
      { text: 'text', top: 0.2 },
      { text: 'goes on', top: 0.22 },
      { text: 'to its end', top: 0.24 },
    ])

    assert.equal(pageText(words), 'A heading of two lines\n\ntext goes on to its end')
  })

  test('joins a word that is divided at the end of a line, and leaves other hyphens', () => {
    const words = wordsOf([
      { text: 'It is divi-', top: 0.1 },
      { text: 'ded, from 1990-', top: 0.12 },
      { text: '1995 in Baden-', top: 0.14 },
      { text: 'Baden', top: 0.16 },
    ])

    assert.equal(pageText(words), 'It is divided, from 1990- 1995 in Baden- Baden')
  })

  test('goes on in the next column', () => {
    const words = wordsOf([
      { text: 'The first column', top: 0.8, right: 0.45 },
      { text: 'goes on in', top: 0.82, right: 0.45 },
      { text: 'the second', top: 0.1, left: 0.55 },
    ])

    assert.equal(pageText(words), 'The first column goes on in the second')
  })

  test('leaves out what lies outside of the page as it is shown', () => {
    const words = wordsOf([
      { text: 'Text', top: 0.1 },
      { text: 'cut here', top: 0.99, height: 0 },
      { text: '33', top: 0.5, left: 1, right: 1 },
    ])

    assert.equal(pageText(words), 'Text')
  })

  test('is empty without words', () => {
    assert.equal(pageText([]), '')
  })
})
