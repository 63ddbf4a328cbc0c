import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { levelOfPercent, readNumber, readText, readTime, speedOfKmh, speedOfKnots } from './phone-fix.ts'

describe('values of apps', () => {
  test('numbers are read from numbers and texts, and nothing else', () => {
    assert.deepEqual([1.5, '1.5', ' -3 ', '1e2', '.5', '5.'].map(readNumber), [1.5, 1.5, -3, 100, 0.5, 5])
    for (const value of ['', 'NaN', 'Infinity', '0x10', '1,5', true, null, undefined, {}, Number.NaN, '1'.repeat(41)]) {
      assert.equal(readNumber(value), undefined, String(value))
    }
  })

  test('times are read from seconds, milliseconds and date-times', () => {
    for (const value of [1777788900, '1777788900', '1777788900000', 1777788900000]) {
      assert.equal(readTime(value), '2026-05-03T06:15:00.000Z')
    }
    assert.equal(readTime('1777788900.5'), '2026-05-03T06:15:00.500Z')
    assert.equal(readTime('2026-05-03T08:15:00+0200'), '2026-05-03T08:15:00+02:00')
    assert.equal(readTime('2026-05-03T06:15:00.123Z'), '2026-05-03T06:15:00.123Z')
    assert.equal(readTime('2026-05-03 06:15:00'), '2026-05-03T06:15:00Z')
  })

  test('times that cannot be read stay as they are, for the check of points', () => {
    for (const value of ['yesterday', undefined, '', 9e15, null]) assert.equal(readTime(value), value)
  })

  test('long hostile texts take no time', () => {
    const before = process.threadCpuUsage()
    for (const text of ['1'.repeat(64_000), '1.'.repeat(32_000), '1e'.repeat(32_000), ' '.repeat(64_000)]) {
      assert.equal(readNumber(`${text}x`), undefined)
      assert.equal(readTime(`${text}x`), `${text}x`)
    }
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 500_000, `${user + system} µs`)
  })

  test('speeds become m/s, and percent a level', () => {
    assert.equal(speedOfKnots('1'), 0.514444444444)
    assert.equal(speedOfKmh(36), 10)
    assert.equal(levelOfPercent('87'), 0.87)
    assert.equal(speedOfKnots(-1), -0.514444444444)
  })

  test('texts lose control characters and outer spaces', () => {
    assert.deepEqual(['  a\u0000b\n ', 42, '', ' ', null].map(readText), ['ab', '42', undefined, undefined, undefined])
    assert.throws(() => readText('x'.repeat(1001)), /1000 characters/)
  })
})
