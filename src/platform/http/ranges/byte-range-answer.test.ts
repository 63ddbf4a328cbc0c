import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseRangeAnswer } from './byte-range-answer.ts'

const blob = { etag: '"abc"', size: 10 }

describe('chooseRangeAnswer', () => {
  const cases: [what: string, headers: Record<string, string>, expected: object][] = [
    ['content without a condition', {}, { status: 200 }],
    ['a range', { range: 'bytes=1-2' }, { status: 206, range: { start: 1, end: 2 } }],
    ['a range beyond the end', { range: 'bytes=10-' }, { status: 416 }],
    [
      'a range with a matching If-Range',
      { range: 'bytes=1-2', 'if-range': '"abc"' },
      { status: 206, range: { start: 1, end: 2 } },
    ],
    ['a range with another If-Range', { range: 'bytes=1-2', 'if-range': '"abd"' }, { status: 200 }],
    ['a range with a weak tag', { range: 'bytes=1-2', 'if-range': 'W/"abc"' }, { status: 200 }],
    ['a range with a date', { range: 'bytes=1-2', 'if-range': 'Thu, 01 Jan 2026 00:00:00 GMT' }, { status: 200 }],
    ['a range beyond the end with another If-Range', { range: 'bytes=10-', 'if-range': '"abd"' }, { status: 200 }],
    ['content that the client has', { 'if-none-match': '"abc"' }, { status: 304 }],
    ['content that the client has under a weak tag', { 'if-none-match': 'W/"abc"' }, { status: 304 }],
    ['content that is one of several the client has', { 'if-none-match': '"x", W/"y,z" ,"abc"' }, { status: 304 }],
    ['content with If-None-Match: *', { 'if-none-match': '*' }, { status: 304 }],
    ['a range of content that the client has', { 'if-none-match': '"abc"', range: 'bytes=1-2' }, { status: 304 }],
    ['content that the client does not have', { 'if-none-match': '"x", "abcd", abc' }, { status: 200 }],
    ['content that If-Match names', { 'if-match': '"x", "abc"' }, { status: 200 }],
    ['content with If-Match: *', { 'if-match': '*' }, { status: 200 }],
    ['content that If-Match does not name', { 'if-match': '"x"' }, { status: 412 }],
    ['content that If-Match names by a weak tag', { 'if-match': 'W/"abc"' }, { status: 412 }],
    [
      'content that If-Match does not name but If-None-Match does',
      { 'if-match': '"x"', 'if-none-match': '"abc"' },
      { status: 412 },
    ],
  ]
  for (const [what, headers, expected] of cases) {
    test(`GET of ${what}`, () => {
      assert.deepEqual(chooseRangeAnswer('GET', headers, blob), expected)
    })
  }

  test('HEAD ignores a range', () => {
    assert.deepEqual(chooseRangeAnswer('HEAD', { range: 'bytes=1-2' }, blob), { status: 200 })
    assert.deepEqual(chooseRangeAnswer('HEAD', { 'if-none-match': '"abc"' }, blob), { status: 304 })
  })
})
