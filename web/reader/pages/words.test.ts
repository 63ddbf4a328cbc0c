import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxOfLine, headingTops, lineAt, sentencesOf } from './words.ts'

const wordsOf = (...lines: string[]) =>
  lines.flatMap((text, line) =>
    text.split(' ').map((word, at) => ({ text: word, line, x: at / 10, y: line / 10, width: 0.1, height: 0.05 })),
  )

describe('sentences', () => {
  test('end with a full stop, an exclamation or a question, and the quotes that close them', () => {
    const words = wordsOf('Who comes? “The fox.”', 'He is', 'late…')

    assert.deepEqual(
      sentencesOf(words).map(({ text }) => text),
      ['Who comes?', '“The fox.”', 'He is late…'],
    )
  })

  test('join a word that is hyphenated at the end of a line, and know the line of each word', () => {
    const [sentence] = sentencesOf(wordsOf('A con-', 'venient fox'))

    assert.equal(sentence.text, 'A convenient fox')
    assert.deepEqual(
      [0, 2, 6, 14].map((character) => lineAt(sentence, character)),
      [0, 0, 1, 1],
    )
  })

  test('are cut where a text has no stops', () => {
    const sentences = sentencesOf(wordsOf(Array(2_000).fill('fox').join(' ')))

    assert.equal(sentences.map(({ text }) => text).join(' '), Array(2_000).fill('fox').join(' '))
    assert.equal(Math.max(...sentences.map(({ text }) => text.length)) < 230, true)
  })

  test('have lines with a box around all of their words', () => {
    const box = boxOfLine(wordsOf('one', 'two words here'), 1)

    assert.deepEqual(
      [box?.x, box?.y, box?.height].map((value) => Math.round(value! * 100)),
      [0, 10, 5],
    )
    assert.equal(Math.round(box!.width * 100), 30)
    assert.equal(boxOfLine([], 1), undefined)
  })
})

test('headings stand where their words are largest, whatever their case and spaces', () => {
  const words = wordsOf('See Try it below', 'TRY  IT!', 'Tryit all', 'Trying', 'Try it again')
  for (const word of words) if (word.line === 1) word.height = 0.08

  assert.deepEqual(headingTops(['Try it', 'Trying', 'Missing', '…'], words), [0.1, 0.3, undefined, undefined])
})
