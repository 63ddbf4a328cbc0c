import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ChunkDamagedError, ChunkReader, ChunkWriter } from './bytes.ts'
import {
  COLUMN_UNITS,
  compressPlanes,
  findUnit,
  readPlanes,
  toValue,
  UNIT_ONE,
  UNIT_RAW,
  UNIT_THOUSAND,
  writePlanes,
} from './series.ts'
import { columnWords } from './words.ts'

const words32 = fc.array(fc.nat(2 ** 32 - 1), { minLength: 2, maxLength: 50 })

describe('writePlanes and readPlanes', () => {
  for (const bytesPerWord of [4, 8] as const) {
    test(`return any words of ${8 * bytesPerWord} bits from a start on`, () => {
      fc.assert(
        fc.property(words32, fc.nat(1), (list, from) => {
          const reader = written(list, from, bytesPerWord)
          const read = columnWords(list.length)
          read.low.fill(7)
          read.high.fill(7)

          readPlanes(reader, read, from, list.length, bytesPerWord)

          assert.deepEqual([...read.low.subarray(from, list.length)], list.slice(from))
          if (bytesPerWord === 8)
            assert.deepEqual([...read.high.subarray(from, list.length)], list.slice(from).map(upper))
        }),
      )
    })
  }

  test('refuse a frame with fewer or more words than expected', () => {
    for (const count of [2, 4]) {
      assert.throws(() => readPlanes(written([1, 2, 3], 0, 4), columnWords(4), 0, count, 4), ChunkDamagedError)
    }
  })
})

/** A reader of these words; the upper half of each is derived from the lower. */
function written(list: number[], from: number, bytesPerWord: 4 | 8): ChunkReader {
  const words = columnWords(list.length)
  words.low.set(list)
  words.high.set(list.map(upper))
  const writer = new ChunkWriter(0)
  writePlanes(writer, compressPlanes(words, from, list.length, bytesPerWord))
  return new ChunkReader(writer.bytes, 0, writer.at)
}

function upper(word: number): number {
  return (word ^ 0x1234_5678) >>> 0
}

describe('findUnit', () => {
  test('finds a unit in which decimal numbers are whole, whatever their digits as doubles', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.nat(7), (integers, decimals) => {
        const values = Float64Array.from(integers, (integer) => Number(`${integer}e-${decimals}`))
        const found = new Float64Array(values.length)

        const unit = findUnit(values, values.length, found, UNIT_ONE)

        assert.ok(unit <= UNIT_ONE + decimals)
        assert.deepEqual(
          found.map((integer) => toValue(integer, COLUMN_UNITS[unit])),
          values,
        )
      }),
    )
  })

  test('distinguishes thousands, semicircles and 32-bit floats from doubles without a unit', () => {
    const columns = [
      [1_700_000_000_000, 1_700_000_001_000],
      [(570_000_001 * 180) / 2 ** 31, (-50_000_000 * 180) / 2 ** 31],
      [Math.fround(4.972), Math.fround(0.85)],
      [Math.PI, Math.E],
    ]

    const units = columns.map((column) => findUnit(Float64Array.from(column), 2, new Float64Array(2), UNIT_THOUSAND))

    assert.deepEqual(COLUMN_UNITS[units[0]], { multiplier: 1000, divisor: 1, single: false })
    assert.deepEqual(COLUMN_UNITS[units[1]], { multiplier: 180, divisor: 2 ** 31, single: false })
    assert.deepEqual(COLUMN_UNITS[units[2]], { multiplier: 1, divisor: 1000, single: true })
    assert.equal(units[3], UNIT_RAW)
  })

  test('finds none for -0, infinities and numbers beyond 2^53', () => {
    for (const value of [-0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, Number.MIN_VALUE]) {
      const unit = findUnit(Float64Array.of(value), 1, new Float64Array(1), UNIT_THOUSAND)

      assert.equal(unit, UNIT_RAW)
    }
  })
})
