import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { formatDateTime, MAX_TIME_MS, MIN_TIME_MS, parseDateTime } from './time.ts'

/** Formats the moment of a date-time in UTC. */
function inUtc(text: string): string | undefined {
  const parsed = parseDateTime(text)
  return parsed === undefined ? undefined : formatDateTime(parsed.timeMs)
}

describe('parseDateTime', () => {
  test('parses a date-time in UTC', () => {
    assert.deepEqual(parseDateTime('2026-11-21T10:00:00.000Z'), { timeMs: 1_795_255_200_000, offsetMin: undefined })
    assert.equal(inUtc('2026-11-21t10:00:00z'), '2026-11-21T10:00:00.000Z')
  })

  test('treats a date-time without an offset as UTC', () => {
    assert.deepEqual(parseDateTime('2026-11-21T10:00:00'), { timeMs: 1_795_255_200_000, offsetMin: undefined })
    assert.equal(inUtc('2026-11-21T10:00:00.5'), '2026-11-21T10:00:00.500Z')
  })

  test('applies an offset and returns it', () => {
    const offsets = ['+02:00', '-09:30', '+23:59', '-23:59', '+00:00'].map((offset) => {
      const parsed = parseDateTime(`2026-11-21T10:00:00${offset}`)
      return [parsed && formatDateTime(parsed.timeMs), parsed?.offsetMin]
    })

    assert.deepEqual(offsets, [
      ['2026-11-21T08:00:00.000Z', 120],
      ['2026-11-21T19:30:00.000Z', -570],
      ['2026-11-20T10:01:00.000Z', 1439],
      ['2026-11-22T09:59:00.000Z', -1439],
      ['2026-11-21T10:00:00.000Z', 0],
    ])
  })

  test('returns no offset for Z and -00:00, which say nothing about the local time', () => {
    assert.equal(parseDateTime('2026-11-21T10:00:00Z')?.offsetMin, undefined)
    assert.deepEqual(parseDateTime('2026-11-21T10:00:00-00:00'), parseDateTime('2026-11-21T10:00:00Z'))
  })

  test('cuts off digits beyond milliseconds, also before 1970', () => {
    assert.equal(inUtc('2026-11-21T10:00:00.1Z'), '2026-11-21T10:00:00.100Z')
    assert.equal(inUtc('2026-11-21T10:00:00.123999Z'), '2026-11-21T10:00:00.123Z')
    assert.equal(inUtc('1969-12-31T23:59:59.999999Z'), '1969-12-31T23:59:59.999Z')
    assert.equal(inUtc(`2026-11-21T10:00:00.${'9'.repeat(5000)}Z`), '2026-11-21T10:00:00.999Z')
  })

  test('treats second 60 as the next minute', () => {
    assert.equal(inUtc('2016-12-31T23:59:60Z'), '2017-01-01T00:00:00.000Z')
    assert.equal(inUtc('2026-11-21T10:07:60.25+01:00'), '2026-11-21T09:08:00.250Z')
  })

  test('knows the calendar', () => {
    assert.equal(inUtc('2024-02-29T00:00:00Z'), '2024-02-29T00:00:00.000Z')
    assert.equal(inUtc('2000-02-29T00:00:00Z'), '2000-02-29T00:00:00.000Z')
    assert.equal(inUtc('0099-12-31T00:00:00Z'), '0099-12-31T00:00:00.000Z')
    assert.equal(inUtc('0000-02-29T00:00:00Z'), '0000-02-29T00:00:00.000Z')
  })

  for (const impossible of [
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-11-32T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T10:60:00Z',
    '2026-11-21T10:00:61Z',
    '2026-11-21T10:00:00+24:00',
    '2026-11-21T10:00:00+02:60',
  ]) {
    test(`refuses ${impossible}, which does not exist`, () => {
      assert.equal(parseDateTime(impossible), undefined)
    })
  }

  for (const wrong of [
    '',
    '2026-11-21',
    '2026-11-21T10:00Z',
    '2026-11-21 10:00:00Z',
    '2026-11-21T10:00:00.Z',
    '2026-11-21T10:00:00,5Z',
    '2026-11-21T10:00:00+02',
    '2026-11-21T10:00:00+0200',
    '2026-11-21T10:00:00 Z',
    ' 2026-11-21T10:00:00Z',
    '2026-11-21T10:00:00Z\n',
    '26-11-21T10:00:00Z',
    '+002026-11-21T10:00:00Z',
    '2026-W47-6T10:00:00Z',
    '２026-11-21T10:00:00Z',
    '1795255200000',
    'now',
  ]) {
    test(`refuses ${JSON.stringify(wrong)}, which is not an RFC 3339 date-time`, () => {
      assert.equal(parseDateTime(wrong), undefined)
    })
  }

  test('refuses times outside the years 0 to 9999 in UTC', () => {
    assert.equal(parseDateTime('0000-01-01T00:00:00Z')?.timeMs, MIN_TIME_MS)
    assert.equal(parseDateTime('9999-12-31T23:59:59.999Z')?.timeMs, MAX_TIME_MS)

    assert.equal(parseDateTime('0000-01-01T00:00:00+00:01'), undefined)
    assert.equal(parseDateTime('9999-12-31T23:59:59-00:01'), undefined)
    assert.equal(parseDateTime('9999-12-31T23:59:60Z'), undefined)
  })

  test('parses every moment that formatDateTime formats', () => {
    fc.assert(
      fc.property(fc.integer({ min: MIN_TIME_MS, max: MAX_TIME_MS }), (timeMs) => {
        assert.deepEqual(parseDateTime(formatDateTime(timeMs)), { timeMs, offsetMin: undefined })
      }),
    )
  })
})
