import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ArchiveNames } from './routes.ts'

const namesOf = (...titles: string[]) => {
  const names = new ArchiveNames()
  return titles.map((title) => names.take(title, 'gpx'))
}

describe('ArchiveNames', () => {
  test('numbers names that some file system takes for the same', () => {
    assert.deepEqual(namesOf('Lake', 'Lake', 'LAKE', 'Lake (2)', 'Lake'), [
      'Lake.gpx',
      'Lake (2).gpx',
      'LAKE (3).gpx',
      'Lake (2) (2).gpx',
      'Lake (4).gpx',
    ])
    assert.deepEqual(namesOf('Été', 'E\u0301te\u0301', 'STRASSE', 'Straße'), [
      'Été.gpx',
      'Été (2).gpx',
      'STRASSE.gpx',
      'Straße (2).gpx',
    ])
  })

  test('leaves no folder, no hidden file and no name that Windows reserves', () => {
    assert.deepEqual(
      namesOf('../../etc/passwd', 'C:\\x', '.profile', 'con', 'Con.2026', 'a?*', 'dots...', '...', '\u0000'),
      [
        '__.._etc_passwd.gpx',
        'C__x.gpx',
        '_profile.gpx',
        '_con.gpx',
        '_Con.2026.gpx',
        'a__.gpx',
        'dots.gpx',
        '_.gpx',
        'document.gpx',
      ],
    )
  })

  test('gives every title a safe name of its own within 255 bytes', () => {
    const title = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('a', 'A', 'a (2)', 'ä', 'a\u0308', '...'),
    )
    const property = fc.property(fc.array(title, { maxLength: 10 }), (titles) => {
      const names = namesOf(...titles)

      assert.equal(new Set(names.map((name) => name.normalize('NFKC').toUpperCase().toLowerCase())).size, names.length)
      for (const name of names) {
        assert.ok(Buffer.byteLength(name) <= 255, name)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
        assert.match(name, /^[^./\\<>:"|?*\u0000-\u001f][^/\\<>:"|?*\u0000-\u001f]*\.gpx$/u)
      }
    })
    fc.assert(property)
  })

  test('stays quick with very many equal titles', () => {
    const names = new ArchiveNames()

    for (let i = 0; i < 20_000; i++) names.take('Sortie du 3 mai à 08h15', 'gpx')

    assert.equal(names.take('Sortie du 3 mai à 08h15', 'gpx'), 'Sortie du 3 mai à 08h15 (20001).gpx')
  })
})
