import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blocksOf, type PageStructure, type StructureNode, type Word } from '../../model/document-content.ts'
import { pageText, structuredText } from './structured-text.ts'

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
