import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { layOutText } from './lay-out-text.ts'

/** Gives every character the width 1. */
const measure = (text: string) => text.length

describe('layOutText', () => {
  test('breaks between words, never within a word of two styles', () => {
    const lines = layOutText(
      [
        { text: 'send it with ', style: 'plain' },
        { text: 'PUT', style: 'code' },
        { text: ', then wait', style: 'plain' },
      ],
      13,
      measure,
    )

    assert.deepEqual(
      lines.map((runs) => runs.map(({ text }) => text)),
      [['send it with'], ['PUT', ', then'], ['wait']],
    )
  })

  test('cuts a word wider than a line', () => {
    const lines = layOutText([{ text: 'a abcdefgh', style: 'code' }], 4, measure)

    assert.deepEqual(
      lines.map(([{ text }]) => text),
      ['a', 'abcd', 'efgh'],
    )
  })

  test('loses no letter and keeps the width for any text', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(words, fc.integer({ min: 3, max: 30 }), (all, width) => {
        const lines = layOutText([{ text: all.join(' '), style: 'plain' }], width, measure)

        assert.equal(lines.flatMap((runs) => runs.map(({ text }) => text.replaceAll(' ', ''))).join(''), all.join(''))
        assert.ok(lines.every((runs) => runs.at(-1)!.x + runs.at(-1)!.width <= width))
      }),
    )
  })
})
