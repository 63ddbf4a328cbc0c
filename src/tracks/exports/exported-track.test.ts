import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { plainDecimal } from './exported-track.ts'

describe('plainDecimal', () => {
  test('writes every number without an exponent, so that parsing it returns the same', () => {
    const property = fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = plainDecimal(value)
      assert.match(text, /^-?\d+(\.\d+)?$/)
      assert.ok(Object.is(Number(text), value), `${value} became ${text}`)
    })
    fc.assert(property, { examples: [[-0], [1e-7], [-1.25e-9], [1e21], [1.7976931348623157e308], [5e-324]] })
  })
})
