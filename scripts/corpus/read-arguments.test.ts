import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readArguments } from './read-arguments.ts'

describe('readArguments', () => {
  test('needs only a folder', () => {
    assert.deepEqual(readArguments(['some/pdfs'], {}), {
      folder: 'some/pdfs',
      server: undefined,
      apiKey: undefined,
      atOnce: 4,
      stuckAfterSec: 180,
    })
  })

  test('accepts a server with its key, and other limits', () => {
    const args = ['pdfs', '--server', 'http://localhost:9000/', '--at-once', '8', '--stuck-after', '60']

    assert.deepEqual(readArguments(args, { TRACKPRESS_API_KEY: 'pub_a' }), {
      folder: 'pdfs',
      server: 'http://localhost:9000',
      apiKey: 'pub_a',
      atOnce: 8,
      stuckAfterSec: 60,
    })
  })

  test('returns undefined for help', () => {
    assert.equal(readArguments(['-h'], {}), undefined)
  })

  test('reports every mistake', () => {
    assert.throws(() => readArguments(['--at-once', '0', '--stuck-after', '1.5', '--server', 'ftp://a'], {}), {
      message: [
        '- one folder is needed, 0 are given',
        '- --at-once must be a whole number from 1 to 100 (it is "0")',
        '- --stuck-after must be a whole number from 1 to 86400 (it is "1.5")',
        '- --server must be an http or https address (it is "ftp://a")',
        '',
      ].join('\n'),
    })
  })
})
