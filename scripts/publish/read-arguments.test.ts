import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readArguments, titleOfFile } from './read-arguments.ts'

describe('readArguments', () => {
  test('needs only a file', () => {
    assert.deepEqual(readArguments(['reports/Annual report.pdf'], {}), [
      {
        path: 'reports/Annual report.pdf',
        title: undefined,
        isDraft: false,
        server: 'http://localhost:8080',
        apiKey: undefined,
      },
    ])
  })

  test('takes several files, as drafts if asked to', () => {
    const options = readArguments(['a.pdf', '--draft', 'b.pdf'], {})

    assert.deepEqual(
      options?.map(({ path, title, isDraft }) => [path, title, isDraft]),
      [
        ['a.pdf', undefined, true],
        ['b.pdf', undefined, true],
      ],
    )
  })

  test('accepts title, server and key in any order', () => {
    const args = ['--title', 'Été', '--server=https://press.example/api/', 'a.pdf', '--key', 'pub_given']

    assert.deepEqual(readArguments(args, { TRACKPRESS_API_KEY: 'pub_other' }), [
      {
        path: 'a.pdf',
        title: 'Été',
        isDraft: false,
        server: 'https://press.example/api',
        apiKey: 'pub_given',
      },
    ])
  })

  test('reads the key from its variable, unless that is blank', () => {
    assert.equal(readArguments(['a.pdf'], { TRACKPRESS_API_KEY: ' pub_a ' })?.[0].apiKey, 'pub_a')
    assert.equal(readArguments(['a.pdf'], { TRACKPRESS_API_KEY: ' ' })?.[0].apiKey, undefined)
  })

  test('returns undefined for help', () => {
    assert.equal(readArguments(['--help', '--bogus'], {}), undefined)
  })

  test('reports every mistake', () => {
    const args = ['a.pdf', 'b.pdf', '--bogus', '--title', ' ', '--server', 'localhost:8080', '--key']

    assert.throws(() => readArguments(args, {}), {
      name: 'PublishError',
      message: [
        '- --bogus is not an option',
        '- --key needs a value',
        '- --title must not be empty',
        '- --title is for one file, 2 are given',
        '- --server must be an http or https address (it is "localhost:8080")',
        '',
      ].join('\n'),
    })
  })
})

describe('titleOfFile', () => {
  const titles: [path: string, title: string][] = [
    ['/a/b/Plan 2026.pdf', 'Plan 2026'],
    ['plan.PDF', 'plan'],
    ['plan.v2.pdf', 'plan.v2'],
    ['plan', 'plan'],
    [' .pdf', 'Document'],
    ['half \ud800.pdf', 'half \ufffd'],
    [`${'𝒜'.repeat(600)}.pdf`, '𝒜'.repeat(500)],
  ]
  for (const [path, title] of titles) {
    test(`is ${JSON.stringify(title.slice(0, 12))} for ${JSON.stringify(path.slice(0, 20))}`, () => {
      assert.equal(titleOfFile(path), title)
    })
  }
})
