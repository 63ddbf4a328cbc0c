import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseDomain } from './domain.ts'

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
