import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CitedPublication, citationOf } from './citation.ts'

const cited: CitedPublication = {
  title: 'Rivers & 100 % of {their} names.',
  author: 'Office_of Waters',
  publishedOn: '2025-03-04',
  readOn: '2026-11-26',
  address: 'https://read.example.org/p/rivers-2025',
  page: 'iv',
}
const words = { page: (label: string) => `p. ${label}`, accessed: (date: string) => `accessed ${date}` }

describe('citations', () => {
  test('are a line of text', () => {
    assert.equal(
      citationOf(cited, 'plain', words),
      'Office_of Waters. Rivers & 100 % of {their} names. 2025. p. iv. ' +
        'https://read.example.org/p/rivers-2025 (accessed 2026-11-26).',
    )
    assert.equal(
      citationOf({ ...cited, author: undefined, page: undefined }, 'plain', words),
      'Rivers & 100 % of {their} names. 2025. https://read.example.org/p/rivers-2025 (accessed 2026-11-26).',
    )
  })

  test('escape for BibTeX what TeX gives a meaning', () => {
    assert.equal(
      citationOf(cited, 'bibtex', words),
      '@misc{rivers-2025,\n' +
        '  author = {{Office\\_of Waters}},\n' +
        '  title = {{Rivers \\& 100 \\% of \\{their\\} names.}},\n' +
        '  year = {2025},\n' +
        '  pages = {iv},\n' +
        '  url = {https://read.example.org/p/rivers-2025},\n' +
        '  urldate = {2026-11-26}\n}\n',
    )
  })

  test('keep each field of RIS on its line, whatever the title contains', () => {
    const ris = citationOf({ ...cited, title: 'One\r\nER  - two' }, 'ris', words)

    assert.deepEqual(ris.split('\r\n'), [
      'TY  - ELEC',
      'AU  - Office_of Waters',
      'TI  - One ER - two',
      'PY  - 2025',
      'DA  - 2025/03/04',
      'SP  - iv',
      'UR  - https://read.example.org/p/rivers-2025',
      'Y2  - 2026/11/26',
      'ER  - ',
      '',
    ])
  })
})
