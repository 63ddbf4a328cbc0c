import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseStoragePath, spellsPath, storagePathProblem } from './schemas.ts'

function isValid(text: string): boolean {
  return storagePathProblem(text) === undefined
}

function assertStoredAs(text: string, path: string): void {
  assert.equal(storagePathProblem(text), undefined)
  assert.equal(parseStoragePath(text), path)
}

describe('a storage path', () => {
  test('is stored unchanged if it consists of folders and the name of a PDF', () => {
    for (const path of ['a.pdf', '2026/Été/Plan du site.PDF', 'a/b/c/d.Pdf', '.hidden/.pdf', '日本/地図.pdf', '...pdf'])
      assertStoredAs(path, path)
  })

  test('is normalised to NFC, so that two spellings of a name are one path', () => {
    assertStoredAs('e\u0301te\u0301.pdf', 'été.pdf')
  })

  test('is not unescaped: percent-encoding has no meaning', () => {
    for (const path of ['%2e%2e/a.pdf', 'a%2Fb.pdf', '%00.pdf', '%5c.pdf']) assertStoredAs(path, path)
  })

  test('is relative, without a drive letter and with only / between its segments', () => {
    for (const path of ['/a.pdf', '//host/a.pdf', 'C:/a.pdf', 'c:a.pdf', 'a\\b.pdf', '\\\\host\\a.pdf'])
      assert.equal(isValid(path), false, path)
  })

  test('has no drive letter after normalisation either', () => {
    // The Kelvin sign, which is K in NFC.
    assert.equal(isValid('\u212a:/a.pdf'), false)
  })

  test('has no segment that is empty, . or ..', () => {
    for (const path of ['', 'a//b.pdf', 'a/', 'a.pdf/', './a.pdf', 'a/./b.pdf', '../a.pdf', 'a/../b.pdf', 'a.pdf/..'])
      assert.equal(isValid(path), false, path)
  })

  test('has no control character', () => {
    for (const character of ['\0', '\t', '\n', '\r', '\x1f', '\x7f', '\x80', '\x9f'])
      assert.equal(isValid(`a${character}b.pdf`), false, JSON.stringify(character))
  })

  test('is valid Unicode', () => {
    assert.equal(isValid('\ud800.pdf'), false)
  })

  test('ends in .pdf', () => {
    for (const path of ['a', 'a.pdf.exe', 'a.pdf ', 'apdf', 'a.pdf\u0301']) assert.equal(isValid(path), false, path)
  })

  test('has segments of at most 255 bytes', () => {
    assert.equal(isValid(`${'é'.repeat(125)}x.pdf`), true)
    assert.equal(isValid(`${'é'.repeat(126)}.pdf`), false)
    assert.equal(isValid(`${'a'.repeat(256)}/a.pdf`), false)
  })

  test('has at most 1,024 bytes', () => {
    const folders = `${'a'.repeat(254)}/`.repeat(4)

    assert.equal(isValid(`${folders}.pdf`), true)
    assert.equal(isValid(`${folders}a.pdf`), false)
  })

  test('keeps every rule in its stored form, which is valid again', () => {
    const awkward = fc.constantFrom('/', '.', '..', '\\', 'C:', '.pdf', 'e\u0301', '\u212a', '%2f', ' ', '\0', '\u0338')
    const part = fc.oneof(awkward, fc.string({ unit: 'grapheme', maxLength: 4 }))
    const text = fc.array(part, { maxLength: 8 }).map((parts) => `${parts.join('')}.pdf`)
    fc.assert(
      fc.property(text, (given) => {
        if (!isValid(given)) return
        const path = parseStoragePath(given)
        assert.equal(path, given.normalize('NFC'))
        assert.doesNotMatch(path, /^\/|^[a-z]:|\\|\p{Cc}/iu)
        for (const segment of path.split('/')) assert.ok(!['', '.', '..'].includes(segment))
        assertStoredAs(path, path)
      }),
    )
  })

  test('is valid if all its segments are', () => {
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter(
        (text) =>
          !/[/\\:\p{Cc}]/u.test(text) && !/^\.{1,2}$/.test(text) && Buffer.byteLength(text.normalize('NFC')) <= 100,
      )
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 8 }), segment, (folders, name) => {
        assert.equal(isValid([...folders, `${name}.pdf`].join('/')), true)
      }),
    )
  })

  test('is recognised in any normalisation, and in nothing longer than it can be spelt', () => {
    const path = 'id/été.pdf'

    assert.equal(spellsPath(path.normalize('NFD'), path), true)
    assert.equal(spellsPath('id/ete.pdf', path), false)
    assert.equal(spellsPath('\u0390'.repeat(512).normalize('NFD'), '\u0390'.repeat(512)), true)
    assert.equal(spellsPath('\u0316\u0301'.repeat(200_000), path), false)
  })

  test('of accents alone is refused by its length', () => {
    assert.equal(storagePathProblem('\u0316\u0301'.repeat(200_000)), 'must have at most 1024 bytes')
  })
})
