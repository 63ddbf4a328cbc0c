import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCspReports } from './read-csp-reports.ts'

describe('reading reports of violations', () => {
  test('keeps no path and no query, which may hold a token', () => {
    const fields = {
      'document-uri': 'https://tracks.example/s/shr_secret?a=1',
      'effective-directive': 'connect-src',
      'blocked-uri': 'https://evil.example/shr_secret?b=2',
      'source-file': 'https://tracks.example/dashboard/assets/index-1.js?c=3',
      'line-number': 7,
    }

    const [violation] = readCspReports({ 'csp-report': fields })

    assert.deepEqual(violation, {
      page: 'spectator',
      directive: 'connect-src',
      blocked: 'https://evil.example',
      source: 'index-1.js',
      line: 7,
      isByExtension: false,
    })
  })

  test('recognises extensions by the scheme of what was blocked or of its source', () => {
    const by = (blockedURL: string, sourceFile = '') =>
      readCspReports([{ type: 'csp-violation', body: { blockedURL, sourceFile } }])[0].isByExtension

    assert.deepEqual(
      [by('chrome-extension'), by('moz-extension://a/b'), by('inline', 'safari-web-extension://a/b'), by('eval')],
      [true, true, true, false],
    )
  })

  test('reads a bounded number of reports, and nothing else', () => {
    const report = { type: 'csp-violation', body: { blockedURL: 'x'.repeat(500) } }

    assert.equal(readCspReports(Array(1000).fill(report)).length, 20)
    assert.equal(readCspReports([report])[0].blocked.length, 100)
    for (const body of [null, 7, 'text', {}, [null, 7], { 'csp-report': 7 }]) assert.deepEqual(readCspReports(body), [])
  })
})
