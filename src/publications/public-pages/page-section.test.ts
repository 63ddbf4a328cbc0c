import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blocksOf } from '../model/document-content.ts'
import { interfaceTexts } from './interface-texts.ts'
import { textBlocks } from './page-section.ts'

/** Writes paragraphs with roles in one line. */
function write(roles: string, paragraphs: readonly string[], language = 'en'): string {
  const written = textBlocks(blocksOf(paragraphs, roles), language, interfaceTexts('en'))
  return written.text.replaceAll('\n', '').replaceAll(' dir="auto"', '')
}

describe('textBlocks', () => {
  test('puts headings below that of the page, and none below the sixth level', () => {
    assert.equal(write('h1 h6 p', ['A', 'B', 'C']), '<h3>A</h3><h6>B</h6><p>C</p>')
  })

  test('puts deeper items into the item before them', () => {
    assert.equal(
      write('l1 l2 l2 l1 p', ['A', 'B', 'C', 'D', 'E']),
      '<ul><li>A<ul><li>B</li><li>C</li></ul></li><li>D</li></ul><p>E</p>',
    )
  })

  test('begins another list where numbers begin', () => {
    assert.equal(write('l1 o1', ['A', 'B']), '<ul><li>A</li></ul><ol><li>B</li></ol>')
  })

  test('writes a list that begins deep or ends at its depth', () => {
    assert.equal(write('l3 l1', ['A', 'B']), '<ul><li>A</li></ul><ul><li>B</li></ul>')
  })

  test('writes rows, headers, spans and empty cells, and each table on its own', () => {
    const [first, second] = write('//th th /td2x1 /td- td //td', ['A', 'B', 'C', 'D', 'E']).split('</table></div>')

    assert.match(first, /<tr><th scope="col">A<\/th><th scope="col">B<\/th><\/tr><tr><td colspan="2">C<\/td><\/tr>/)
    assert.match(first, /<tr><td><\/td><td>D<\/td><\/tr>$/)
    assert.match(second, /<tr><td>E<\/td><\/tr>$/)
  })

  test('escapes text, and states only valid languages that differ from that of the document', () => {
    assert.equal(write('p@en p@de p@-', ['<b>', 'B', 'C']), '<p>&#60;b&#62;</p><p lang="de">B</p><p>C</p>')
  })
})
