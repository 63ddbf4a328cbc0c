import assert from 'node:assert/strict'
import { validateHeaderValue } from 'node:http'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { contentDisposition } from './content-disposition.ts'

/** The form of RFC 6266 and RFC 8187 alone: a quoted string of plain characters, then value-chars. */
const HEADER =
  /^(inline|attachment); filename="([\x20\x21\x23-\x5b\x5d-\x7e]+)"; filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})+)$/

const CONTROL = '[\\u0000-\\u001f\\u007f-\\u009f]'
const hostileUnits = fc.constantFrom(
  '\r',
  '\n',
  '\r\nSet-Cookie: a=1',
  '"',
  '\\',
  '/',
  '../../',
  ';',
  '%0d%0a',
  '\0',
  '\ud800',
  '\u202e',
  '\u0085',
)
const anyTitle = fc
  .array(fc.oneof(hostileUnits, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })))
  .map((parts) => parts.join(''))

describe('contentDisposition', () => {
  const names: [title: string, exact: string, fallback: string][] = [
    ['Report', 'Report.pdf', 'Report.pdf'],
    ['Été à Évian', 'Été à Évian.pdf', 'Ete a Evian.pdf'],
    ["L'œuvre (2ᵉ éd.) * 50 %", "L'œuvre (2ᵉ éd.) * 50 %.pdf", "L'oeuvre (2e ed.) _ 50 _.pdf"],
    ['年度报告', '年度报告.pdf', 'NianDuBaoGao.pdf'],
    ['👩‍👩‍👧 album', '👩‍👩‍👧 album.pdf', '_woman__woman__girl_ album.pdf'],
    ['a/b\\c "d"', 'a_b_c _d_.pdf', 'a_b_c _d_.pdf'],
    ['Notes.pdf', 'Notes.pdf.pdf', 'Notes.pdf.pdf'],
    ['two\r\nlines', 'two lines.pdf', 'two lines.pdf'],
    ['invoice\u202efdp', 'invoicefdp.pdf', 'invoicefdp.pdf'],
    ['half \ud83d a character', 'half \ufffd a character.pdf', 'half _ a character.pdf'],
    ['\u0000\t', 'document.pdf', 'document.pdf'],
    ['', 'document.pdf', 'document.pdf'],
  ]
  for (const [title, exact, fallback] of names) {
    test(`names a file after ${JSON.stringify(title)}`, () => {
      assert.deepEqual(read(contentDisposition('attachment', title, 'pdf')), { type: 'attachment', exact, fallback })
    })
  }

  test('has this form for any title', () => {
    fc.assert(
      fc.property(anyTitle, (title) => {
        const header = contentDisposition('inline', title, 'pdf')

        const { type, exact, fallback } = read(header)
        validateHeaderValue('Content-Disposition', header)
        assert.equal(type, 'inline')
        assert.doesNotMatch(exact, new RegExp(`[/\\\\"]|${CONTROL}`))
        assert(exact.endsWith('.pdf') && fallback.endsWith('.pdf'))
      }),
      { numRuns: 500 },
    )
  })

  test('keeps every title exactly that is a valid file name', () => {
    const plain = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((title) => title === title.trim() && title !== '' && !/[/\\"\p{Cc}\u2028\u2029]/u.test(title))

    fc.assert(
      fc.property(plain, (title) => {
        assert.equal(read(contentDisposition('attachment', title, 'pdf')).exact, `${title}.pdf`)
      }),
    )
  })

  test('cuts a title after 500 characters', () => {
    for (const character of ['a', 'é', '語', '𝒜']) {
      const header = contentDisposition('attachment', character.repeat(600), 'pdf')

      assert.equal(read(header).exact, `${character.repeat(500)}.pdf`)
      assert.ok(header.length < 6200)
    }
  })
})

function read(header: string) {
  const [, type, fallback, encoded] = HEADER.exec(header) ?? []
  assert(encoded !== undefined, header)
  return { type, exact: decodeURIComponent(encoded), fallback }
}
