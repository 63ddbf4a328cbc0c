import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type ByteRange, parseByteRange } from './byte-range.ts'

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
