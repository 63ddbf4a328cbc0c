import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseStoragePath } from './storage-path.ts'

function isTaken(text: string): boolean {
  return 'path' in parseStoragePath(text)
}

describe('The path of a file', () => {
  test('is taken as it is when it is folders and the name of a PDF', () => {
    for (const path of ['a.pdf', '2026/Été/Plan du site.PDF', 'a/b/c/d.Pdf', '.hidden/.pdf', '日本/地図.pdf', '...pdf'])
      assert.deepEqual(parseStoragePath(path), { path })
  })

  test('is put into NFC, so that two spellings of one name are one path', () => {
    assert.deepEqual(parseStoragePath('e\u0301te\u0301.pdf'), { path: 'été.pdf' })
  })

  test('is not unescaped: percent-encoded text is text', () => {
    for (const path of ['%2e%2e/a.pdf', 'a%2Fb.pdf', '%00.pdf', '%5c.pdf'])
      assert.deepEqual(parseStoragePath(path), { path })
  })

  test('is relative, without a drive and with / alone between its segments', () => {
    for (const path of ['/a.pdf', '//host/a.pdf', 'C:/a.pdf', 'c:a.pdf', 'a\\b.pdf', '\\\\host\\a.pdf'])
      assert.equal(isTaken(path), false, path)
  })

  test('has no drive letter that only normalising brings about', () => {
    // The Kelvin sign, which is K in NFC.
    assert.equal(isTaken('\u212a:/a.pdf'), false)
  })

  test('has no segment that is empty, . or ..', () => {
    for (const path of ['', 'a//b.pdf', 'a/', 'a.pdf/', './a.pdf', 'a/./b.pdf', '../a.pdf', 'a/../b.pdf', 'a.pdf/..'])
      assert.equal(isTaken(path), false, path)
  })

  test('has no control character', () => {
    for (const character of ['\0', '\t', '\n', '\r', '\x1f', '\x7f', '\x80', '\x9f'])
      assert.equal(isTaken(`a${character}b.pdf`), false, JSON.stringify(character))
  })

  test('is valid Unicode', () => {
    assert.equal(isTaken('\ud800.pdf'), false)
  })

  test('ends in .pdf', () => {
    for (const path of ['a', 'a.pdf.exe', 'a.pdf ', 'apdf', 'a.pdf\u0301']) assert.equal(isTaken(path), false, path)
  })

  test('has segments of at most 255 bytes, which are not characters', () => {
    assert.equal(isTaken(`${'é'.repeat(125)}x.pdf`), true)
    assert.equal(isTaken(`${'é'.repeat(126)}.pdf`), false)
    assert.equal(isTaken(`${'a'.repeat(256)}/a.pdf`), false)
  })

  test('has at most 1,024 bytes', () => {
    const folders = `${'a'.repeat(254)}/`.repeat(4)

    assert.equal(isTaken(`${folders}.pdf`), true)
    assert.equal(isTaken(`${folders}a.pdf`), false)
  })

  test('once taken keeps every rule, and is taken again as it is', () => {
    const awkward = fc.constantFrom('/', '.', '..', '\\', 'C:', '.pdf', 'e\u0301', '\u212a', '%2f', ' ', '\0', '\u0338')
    const part = fc.oneof(awkward, fc.string({ unit: 'grapheme', maxLength: 4 }))
    const text = fc.array(part, { maxLength: 8 }).map((parts) => `${parts.join('')}.pdf`)
    fc.assert(
      fc.property(text, (given) => {
        const parsed = parseStoragePath(given)
        if (!('path' in parsed)) return
        const { path } = parsed
        assert.equal(path, given.normalize('NFC'))
        assert.doesNotMatch(path, /^\/|^[a-z]:|\\|\p{Cc}/iu)
        for (const segment of path.split('/')) assert.ok(!['', '.', '..'].includes(segment))
        assert.deepEqual(parseStoragePath(path), { path })
      }),
    )
  })

  test('made of proper segments is always taken', () => {
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter(
        (text) =>
          !/[/\\:\p{Cc}]/u.test(text) && !/^\.{1,2}$/.test(text) && Buffer.byteLength(text.normalize('NFC')) <= 100,
      )
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 8 }), segment, (folders, name) => {
        assert.equal(isTaken([...folders, `${name}.pdf`].join('/')), true)
      }),
    )
  })
})
