import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Word } from './page-content.ts'
import { blocksOf, type PageStructure, type StructureNode } from './page-structure.ts'
import { structuredText } from './structured-text.ts'

/** Makes words of a text, a line for each mark: `['Some words', 'more']` have the marks 0 and 1. */
function marked(lines: readonly string[]): { words: Word[]; marks: number[] } {
  const words: Word[] = []
  const marks: number[] = []
  for (const [mark, text] of lines.entries()) {
    for (const [at, word] of text.split(' ').entries()) {
      words.push({ text: word, line: mark, x: 0.1 + at / 20, y: 0.1 + mark / 40, width: 0.04, height: 0.01 })
      marks.push(mark)
    }
  }
  return { words, marks }
}

const node = (type: string, ...content: StructureNode['content']): StructureNode => ({ type, content })

/** Reads the lines through a tree, and returns each paragraph after its role. */
function read(lines: readonly string[], ...roots: StructureNode[]): string[] {
  const { words, marks } = marked(lines)
  const { text, roles } = structuredText(words, { roots, marks })
  const tokens = roles?.split(' ') ?? []
  return blocksOf(text.split('\n\n'), roles).map(({ text: paragraph }, at) => `${tokens[at]} ${paragraph}`.trim())
}

describe('structuredText', () => {
  test('reads headings and paragraphs in the order of the tree', () => {
    const found = read(['Second words', 'First'], node('Document', node('H1', 1), node('Sect', node('P', 0))))

    assert.deepEqual(found, ['h1 First', 'p Second words'])
  })

  test('joins what spans and links divide, and words divided at the end of a line', () => {
    const found = read(['One para-', 'graph with', 'a link'], node('P', 0, node('Span', 1), node('Link', 2)))

    assert.deepEqual(found, ['p One paragraph with a link'])
  })

  test('reads lists within lists, without bullets and with lettered labels', () => {
    const inner = node('L', node('LI', node('Lbl', 3), node('LBody', 4)))
    const outer = node('L', node('LI', node('Lbl', 0), node('LBody', 1, inner)), node('LI', node('LBody', 2)))

    assert.deepEqual(read(['•', 'One', 'Two', 'a)', 'Deep'], outer), ['l1 One', 'l2 a) Deep', 'l1 Two'])
  })

  test('leaves the numbers of a numbered list to the list', () => {
    const list = { ...node('L', node('LI', node('Lbl', 0), node('LBody', 1))), isNumbered: true }

    assert.deepEqual(read(['1.', 'First'], list), ['o1 First'])
  })

  test('reads tables with headers, spans and empty cells', () => {
    const wide = { ...node('TD', 2), columns: 2 }
    const table = node(
      'Table',
      node('Caption', 3),
      node('THead', node('TR', node('TH', 0), node('TH', 1))),
      node('TBody', node('TR', wide), node('TR', node('TD'), node('TD', 4))),
    )

    assert.deepEqual(read(['Year', 'Sales', 'None', 'Sales by year', 'Last'], table), [
      'p Sales by year',
      '//th Year',
      'th Sales',
      '/td2x1 None',
      '/td-',
      'td Last',
    ])
  })

  test('describes a figure by its alternative, in place of the words in it', () => {
    const figure = { ...node('Figure', 1), alternative: 'Sales\n rise' }

    assert.deepEqual(read(['Before and after', '17', 'it ends'], node('P', 0, figure, 2)), [
      'p Before and after it ends',
      'f Sales rise',
    ])
  })

  test('reads the words of a figure without an alternative', () => {
    assert.deepEqual(read(['Chart'], node('Figure', 0)), ['p Chart'])
  })

  test('takes the text that stands for drawn letters', () => {
    assert.deepEqual(read(['T', 'rest'], node('P', { ...node('Span', 0), replacement: 'The' }, 1)), ['p The rest'])
  })

  test('states the language of a foreign part', () => {
    assert.deepEqual(read(['Guten Tag'], { ...node('P', 0), language: 'de' }), ['p@de Guten Tag'])
  })

  test('keeps what is not in the tree, such as a page number, after the rest', () => {
    assert.deepEqual(read(['Page 7', 'A long enough text'], node('P', 1)), ['p A long enough text', 'p Page 7'])
  })

  test('follows the looks of the page if the tree covers less than half of it', () => {
    const { words, marks } = marked(['Much more text than the tree has', 'Little'])

    const { text, roles } = structuredText(words, { roots: [node('P', 1)], marks })

    assert.equal(roles, null)
    assert.match(text, /^Much more text/)
  })

  test('has every word once, however the tree repeats it', () => {
    const structure: PageStructure = { roots: [node('P', 0, 0), node('P', 0)], marks: [0] }
    const { words } = marked(['Once'])

    assert.equal(structuredText(words, structure).text, 'Once')
  })
})

describe('blocksOf', () => {
  test('treats paragraphs as plain where roles are missing, cut off or unknown', () => {
    const blocks = blocksOf(['One', 'Two', 'Three'], 'h1 nonsense')

    assert.deepEqual(
      blocks.map(({ role, text }) => `${role.kind} ${text}`),
      ['heading One', 'paragraph Two', 'paragraph Three'],
    )
  })

  test('ends with the paragraphs that are shown', () => {
    assert.deepEqual(blocksOf(['One'], 'p p p').length, 1)
  })
})
