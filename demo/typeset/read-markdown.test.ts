import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plainText } from './markdown.ts'
import { readInline } from './read-inline.ts'
import { readMarkdown } from './read-markdown.ts'

describe('readMarkdown', () => {
  test('distinguishes headings, paragraphs, lists, code and tables', () => {
    const page = [
      '# Title',
      '',
      'A paragraph',
      'of two lines.',
      '- one',
      '  goes on',
      '  1. two',
      '',
      '```sh',
      '# no heading',
      '',
      '```',
      '| a | b |',
      '| --- | --- |',
      '| 1 | `x\\|y` |',
    ].join('\n')

    const blocks = readMarkdown(page)

    assert.deepEqual(
      blocks.map((block) => ('text' in block ? [block.kind, plainText(block.text)] : [block.kind])),
      [
        ['heading', 'Title'],
        ['paragraph', 'A paragraph of two lines.'],
        ['item', 'one goes on'],
        ['item', 'two'],
        ['code'],
        ['table'],
      ],
    )
    assert.deepEqual(blocks[3], { kind: 'item', marker: '1.', depth: 1, text: [{ text: 'two', style: 'plain' }] })
    assert.deepEqual(blocks[4], { kind: 'code', lines: ['# no heading', ''] })
  })

  test('omits pictures and HTML', () => {
    assert.deepEqual(readMarkdown('![A map](map.png)\n\n<br>\n\n<!-- a\nb -->'), [])
  })
})

describe('readInline', () => {
  test('keeps bold text, code and links, even nested', () => {
    assert.deepEqual(readInline('Say **`now`** or [see `here`](docs/x.md), a * b.'), [
      { text: 'Say ', style: 'plain' },
      { text: 'now', style: 'bold' },
      { text: ' or ', style: 'plain' },
      { text: 'see ', style: 'plain', link: 'docs/x.md' },
      { text: 'here', style: 'code', link: 'docs/x.md' },
      { text: ', a * b.', style: 'plain' },
    ])
  })
})
