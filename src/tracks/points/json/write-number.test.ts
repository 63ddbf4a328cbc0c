import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { writeNumber } from './write-number.ts'

const bytes = Buffer.alloc(64)
const output = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }

function write(value: number, hint = 7): string {
  return bytes.toString('latin1', 0, writeNumber(output, 0, value, hint))
}

/** The double after one, in the direction of larger bit patterns. */
function next(value: number): number {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  bits.setBigUint64(0, bits.getBigUint64(0) + 1n)
  return bits.getFloat64(0)
}

describe('writeNumber', () => {
  test('writes every double as String does', () => {
    const double = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -500, max: 500, noNaN: true }),
      fc.double({ min: 1e-7, max: 2, noNaN: true }),
      fc.double({ min: 1e3, max: 1e11, noNaN: true }),
      fc.float({ noNaN: true, noDefaultInfinity: true }),
    )
    fc.assert(
      fc.property(double, fc.nat(9), (value, hint) => {
        assert.equal(write(value, hint), Object.is(value, -0) ? '-0' : String(value))
      }),
      { numRuns: 5000 },
    )
  })

  test('writes decimals of any length as String does', () => {
    const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.nat(22))
    fc.assert(
      fc.property(decimal, fc.nat(9), ([digits, decimals], hint) => {
        const value = Number(`${digits}e-${decimals}`)

        assert.equal(write(value, hint), String(value))
      }),
      { numRuns: 5000 },
    )
  })

  test('writes powers of two and ten, and the doubles after them, as String does', () => {
    for (let exponent = -40; exponent <= 40; exponent++) {
      for (const value of [
        2 ** exponent,
        next(2 ** exponent),
        Number(`1e${exponent}`),
        next(Number(`1e${exponent}`)),
      ]) {
        assert.equal(write(value), String(value))
        assert.equal(write(-value, 2), String(-value))
      }
    }
  })

  test('writes -0 with its sign', () => {
    assert.equal(write(-0), '-0')
    assert.equal(write(0), '0')
  })
})
