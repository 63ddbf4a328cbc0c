import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type ByteRange, chooseRangeAnswer, parseByteRange } from './ranges.ts'

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

describe('parseByteRange', () => {
  const cases: [header: string | undefined, size: number, ByteRange | 'whole' | 'unsatisfiable'][] = [
    [undefined, 10, 'whole'],
    ['bytes=0-0', 10, { start: 0, end: 0 }],
    ['bytes=0-9', 10, { start: 0, end: 9 }],
    ['bytes=2-5', 10, { start: 2, end: 5 }],
    ['bytes=9-', 10, { start: 9, end: 9 }],
    ['bytes=5-100', 10, { start: 5, end: 9 }],
    ['bytes=-3', 10, { start: 7, end: 9 }],
    ['bytes=-30', 10, { start: 0, end: 9 }],
    ['bytes=0-99999999999999999999999999', 10, { start: 0, end: 9 }],
    ['Bytes=0-1', 10, { start: 0, end: 1 }],
    ['bytes= ,0-1 ,', 10, { start: 0, end: 1 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=10-20', 10, 'unsatisfiable'],
    ['bytes=99999999999999999999999999-', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'whole'],
    ['bytes=5-2', 10, 'whole'],
    ['bytes=0-1,3-4', 10, 'whole'],
    ['bytes=0-1,0-1,0-1', 10, 'whole'],
    ['bytes=-', 10, 'whole'],
    ['bytes=', 10, 'whole'],
    ['bytes', 10, 'whole'],
    ['', 10, 'whole'],
    ['bytes=a-b', 10, 'whole'],
    ['bytes=1', 10, 'whole'],
    ['bytes=--1', 10, 'whole'],
    ['bytes=0x1-2', 10, 'whole'],
    ['bytes=1.5-2', 10, 'whole'],
    ['bytes=0-1=2', 10, 'whole'],
    ['pages=0-1', 10, 'whole'],
  ]
  for (const [header, size, expected] of cases) {
    test(`reads ${JSON.stringify(header)} of ${size} bytes`, () => {
      assert.deepEqual(parseByteRange(header, size), expected)
    })
  }

  test('returns only ranges within the content, for any header', () => {
    const header = fc.oneof(fc.string(), fc.stringMatching(/^bytes=\d{0,3}-\d{0,3}(,\d{0,2}-\d{0,2})?$/))
    fc.assert(
      fc.property(header, fc.nat(200), (text, size) => {
        const range = parseByteRange(text, size)

        assert(typeof range === 'string' || (0 <= range.start && range.start <= range.end && range.end < size))
      }),
    )
  })
})
