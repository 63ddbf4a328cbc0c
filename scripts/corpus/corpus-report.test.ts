import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CorpusRun, corpusReport, failuresOf, quantilesOf } from './corpus-report.ts'
import type { Outcome } from './publish-one.ts'

const good: Outcome = { name: 'good.pdf', kind: 'ready', pages: 12, failedPages: [], tookMs: 1500 }
const failedPages = [
  { page: 2, reason: 'It takes too long.' },
  { page: 3, reason: 'It takes too long.' },
]

const run: CorpusRun = {
  outcomes: [
    good,
    { name: 'partly.pdf', kind: 'ready', pages: 3, failedPages, tookMs: 61_000 },
    { name: 'hopeless.pdf', kind: 'failed', pages: 1, reason: 'page_too_slow', tookMs: 30_000 },
    { name: 'locked.pdf', kind: 'refused', reason: '422 UNPROCESSABLE: password', tookMs: 20 },
    { name: 'text.pdf', kind: 'refused', reason: '422 UNPROCESSABLE: not a PDF', tookMs: 10 },
    { name: 'words.pdf', kind: 'refused', reason: '422 UNPROCESSABLE: not a PDF', tookMs: 11 },
    { name: 'mine.pdf', kind: 'unreadable', reason: 'EACCES', tookMs: 1 },
  ],
  unreadableFolders: [{ name: 'closed', reason: 'EACCES' }],
  tookMs: 125_000,
  answers: { count: 2000, p50Ms: 1.2, p99Ms: 45.4, maxMs: 310, unanswered: 0 },
  peakMemoryBytes: 740_000_000,
  serverEnd: undefined,
}

describe('corpusReport', () => {
  test('lists files that were not fully published, the slowest files, and the state of the server', () => {
    assert.deepEqual(corpusReport(run).split('\n'), [
      'Files with something to tell',
      '  closed/: the folder cannot be read (EACCES)',
      '  partly.pdf: page 2 of 3 failed: It takes too long. (and 1 more)',
      '  hopeless.pdf: failed, page_too_slow',
      '  locked.pdf: refused, 422 UNPROCESSABLE: password',
      '  text.pdf: refused, 422 UNPROCESSABLE: not a PDF',
      '  words.pdf: refused, 422 UNPROCESSABLE: not a PDF',
      '  mine.pdf: unreadable, EACCES',
      '',
      'The slowest 7',
      '  1:01 min  partly.pdf (ready, 3 pages)',
      '    30.0 s  hopeless.pdf (failed, 1 page)',
      '     1.5 s  good.pdf (ready, 12 pages)',
      '     20 ms  locked.pdf (refused)',
      '     11 ms  words.pdf (refused)',
      '     10 ms  text.pdf (refused)',
      '      1 ms  mine.pdf (unreadable)',
      '',
      'Result',
      '  files                           7',
      '  ready                           2',
      '    of them with failed pages     1',
      '  failed                          1',
      '    page_too_slow                 1',
      '  refused                         3',
      '    422 UNPROCESSABLE: not a PDF  2',
      '    422 UNPROCESSABLE: password   1',
      '  unreadable                      1',
      '  stuck                           0',
      '  broken                          0',
      '  pages                           16',
      '  time                            2:05 min',
      '  peak memory of the server       740.0 MB',
      '  answers of /healthz (2000)      p50 1 ms, p99 45 ms, longest 310 ms',
      '',
      'All went well.',
    ])
  })

  test('lists the ten slowest files, and omits empty lists', () => {
    const outcomes = Array.from({ length: 30 }, (_, at) => ({ ...good, name: `${at}.pdf`, tookMs: at * 1000 }))

    const report = corpusReport({ ...run, outcomes, unreadableFolders: [] })

    assert.match(report, /^The slowest 10\n +29\.0 s {2}29\.pdf/)
    assert.equal(report.match(/^ +\d+\.\d s {2}/gm)?.length, 10)
  })

  test('ends with the problems', () => {
    const report = corpusReport({ ...run, serverEnd: 'the server ended with SIGKILL' })

    assert.match(report, /\n\nWRONG: the server ended with SIGKILL$/)
  })
})

describe('failuresOf', () => {
  test('reports no problem for documents that cannot be published', () => {
    assert.deepEqual(failuresOf(run), [])
  })

  const answers = run.answers
  const failures: [change: Partial<CorpusRun>, expected: string][] = [
    [{ outcomes: [{ name: 'a', kind: 'stuck', reason: 'processing', tookMs: 1 }] }, '1 got stuck'],
    [{ outcomes: [{ name: 'a', kind: 'broken', reason: '500', tookMs: 1 }] }, '1 met a failure of the server'],
    [{ outcomes: [{ ...good, wrong: 'the image of page 1 does not come' }] }, '1 are ready and not right'],
    [{ answers: { ...answers, p99Ms: 1000 } }, '99 % of answers took up to 1.0 s'],
    [{ answers: { ...answers, unanswered: 2 } }, '2 times the server did not answer that it is well'],
    [{ peakMemoryBytes: 2_000_000_000 }, 'the server took 2.00 GB of memory'],
    [{ serverEnd: 'the server ended with 1' }, 'the server ended with 1'],
  ]
  for (const [change, expected] of failures) {
    test(`finds that ${expected}`, () => {
      assert.deepEqual(failuresOf({ ...run, ...change }), [expected])
    })
  }

  test('accepts memory and times just within their limits', () => {
    const change = { peakMemoryBytes: 1_999_999_999, answers: { ...answers, p99Ms: 999 } }

    assert.deepEqual(failuresOf({ ...run, ...change }), [])
    assert.deepEqual(failuresOf({ ...run, peakMemoryBytes: undefined }), [])
  })
})

test('quantiles are measured times, regardless of order', () => {
  const timesMs = Array.from({ length: 200 }, (_, at) => ((at * 73) % 200) + 1)

  assert.deepEqual(quantilesOf(timesMs), { count: 200, p50Ms: 100, p99Ms: 198, maxMs: 200 })
})

test('quantiles of one time are that time, and without times zero', () => {
  assert.deepEqual(quantilesOf([7]), { count: 1, p50Ms: 7, p99Ms: 7, maxMs: 7 })
  assert.deepEqual(quantilesOf([]), { count: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 })
})
