import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { accentProblem, accentStyle, contrastOf, parseDomain } from './face-fields.ts'

const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

describe('accentProblem', () => {
  test('refuses what is no colour, and says the contrast of one that is too light', () => {
    assert.match(accentProblem('teal')!, /#0b6158/)
    assert.match(accentProblem('#ffcc00')!, /1\.3:1/)
    assert.equal(accentProblem('#0b6158'), undefined)
  })
})

describe('accentStyle', () => {
  test('gives text that can be read on light and dark pages, and on its own ground, for each accepted colour', () => {
    fc.assert(
      fc.property(
        colors.filter((color) => accentProblem(color) === undefined),
        (color) => {
          const found = [...accentStyle(color).matchAll(/--accent: (#\w{6}).*--on-accent: (#\w{6})/g)]
          const [light, dark] = found.map(([, accent, onAccent]) => ({ accent, onAccent }))
          assert.ok(contrastOf(light.accent, '#f3f1ec') >= 4.5 && contrastOf(light.accent, light.onAccent) >= 4.5)
          assert.ok(contrastOf(dark.accent, '#171614') >= 4.5 && contrastOf(dark.accent, dark.onAccent) >= 4.5)
        },
      ),
    )
  })
})

describe('contrastOf', () => {
  test('is 21 for black on white, in either order', () => {
    assert.equal(contrastOf('#000000', '#ffffff'), 21)
    assert.equal(contrastOf('#ffffff', '#000000'), 21)
  })
})

describe('parseDomain', () => {
  test('writes a name in lower case and ASCII, without the dot of the root', () => {
    assert.equal(parseDomain('Reports.Example.ORG.'), 'reports.example.org')
    assert.equal(parseDomain('bücher.example'), 'xn--bcher-kva.example')
    assert.equal(parseDomain('a-b.1and1.example'), 'a-b.1and1.example')
    const long = `${'a'.repeat(63)}.`.repeat(3)
    assert.equal(parseDomain(`${long}${'a'.repeat(61)}`)?.length, 253)
  })

  test('refuses what is no host name of a site', () => {
    const refused = [
      '',
      '.',
      'localhost',
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '1.2.3.4.',
      '[::1]',
      'example.org:8080',
      'https://example.org',
      'example.org/reports',
      'user@example.org',
      'example.org?x',
      'example.org#x',
      'example%2eorg',
      'ex ample.org',
      '*.example.org',
      'under_score.example.org',
      '-a.example.org',
      'a-.example.org',
      'a..example.org',
      '.example.org',
      'example.org..',
      `${'a'.repeat(64)}.org`,
      `${'a'.repeat(63)}.`.repeat(4),
      `${'é.'.repeat(1_000_000)}org`,
    ]
    for (const text of refused) assert.equal(parseDomain(text), undefined, text.slice(0, 80))
  })
})
