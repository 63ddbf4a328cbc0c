import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { UNSCANNABLE } from './scan-text.ts'
import { scanNumber } from './scan-values.ts'

const column = new Float64Array(1)

/** Returns the number that the scanner reads at the start of a text and its length; undefined when it gives up. */
function scan(text: string): { value: number; length: number } | undefined {
  const end = scanNumber(Buffer.from(`${text}}`), 0, column, 0)
  return end === UNSCANNABLE ? undefined : { value: column[0], length: end }
}

/** The exact decimal expansion of the number halfway between a double and the next one further from zero. */
function middleAfter(value: number): string {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  const exponent = ((bits.getUint32(0) >> 20) & 0x7ff) - 1076
  const mantissa = ((bits.getBigUint64(0) & 0xfffffffffffffn) | 0x10000000000000n) * 2n + 1n
  if (exponent >= 0) return String(mantissa << BigInt(exponent))
  const digits = String(mantissa * 5n ** BigInt(-exponent)).padStart(1 - exponent, '0')
  return `${digits.slice(0, exponent)}.${digits.slice(exponent)}`
}

describe('scanNumber', () => {
  test('reads the shortest text of every double', () => {
    const double = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -500, max: 500, noNaN: true }),
    )
    fc.assert(
      fc.property(double, (value) => {
        const text = Object.is(value, -0) ? '-0' : String(value)

        assert.deepEqual(scan(text), { value, length: text.length })
      }),
      { numRuns: 3000 },
    )
  })

  test('reads digits of any number as Number does', () => {
    const digits = fc.oneof(
      fc.stringMatching(/^-?(0|[1-9][0-9]{0,11})\.[0-9]{1,24}$/),
      fc.stringMatching(/^-?[1-9][0-9]{0,2}\.[0-9]{13,18}$/),
      fc.stringMatching(/^-?0\.0{0,12}[0-9]{1,18}$/),
      fc.stringMatching(/^-?[1-9][0-9]{0,30}([eE][+-]?[0-9]{1,2})?$/),
    )
    fc.assert(
      fc.property(digits, (text) => {
        assert.deepEqual(scan(text), { value: Number(text), length: text.length })
      }),
      { numRuns: 3000 },
    )
  })

  test('rounds as Number does next to the middle of two doubles', () => {
    const places = fc.record({
      value: fc.oneof(fc.double({ min: 1e-9, max: 500, noNaN: true }), fc.double({ min: 500, max: 1e15, noNaN: true })),
      decimals: fc.integer({ min: 1, max: 24 }),
      lastDigit: fc.nat(9),
    })
    fc.assert(
      fc.property(places, ({ value, decimals, lastDigit }) => {
        const [whole, fraction = '0'] = middleAfter(value).split('.')
        const text = `${whole}.${fraction.slice(0, decimals)}`

        assert.deepEqual(scan(text), { value: Number(text), length: text.length })
        assert.equal(scan(text + lastDigit)?.value, Number(text + lastDigit))
      }),
      { numRuns: 5000 },
    )
  })

  for (const text of [
    '',
    '-',
    '+1',
    '.5',
    '-.5',
    '1.',
    '1.e5',
    '1e',
    '1e+',
    '00',
    '01',
    '-01.5',
    '1e309',
    '-1e400',
    'NaN',
    'Infinity',
  ]) {
    test(`gives up on ${JSON.stringify(text)}`, () => {
      assert.equal(scan(text), undefined)
    })
  }
})
