import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ChunkDamagedError, ChunkReader, ChunkWriter } from './bytes.ts'
import { readRice, writeRice } from './integers.ts'

const anySize = fc.nat(32).chain((bits) => fc.nat(2 ** bits - 1))
const mostlySmall = fc.oneof({ arbitrary: fc.nat(3), weight: 20 }, { arbitrary: anySize, weight: 1 })

describe('writeRice and readRice', () => {
  test('return any numbers, and end at the same byte', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anySize, mostlySmall), { maxLength: 200 }), (list) => {
        const numbers = Uint32Array.from(list)
        const bytes = written(numbers)
        const reader = new ChunkReader(bytes, 0, bytes.length)
        const read = new Uint32Array(numbers.length)

        readRice(reader, read, 0, read.length)

        assert.deepEqual(read, numbers)
        assert.equal(reader.at, bytes.length)
      }),
    )
  })

  test('return single large numbers among small ones, at each size', () => {
    for (let bits = 1; bits <= 32; bits++) {
      const numbers = Uint32Array.from({ length: 64 }, (_, i) => (i === 40 ? 2 ** bits - 1 : i % 3))
      const bytes = written(numbers)
      const read = new Uint32Array(numbers.length)

      readRice(new ChunkReader(bytes, 0, bytes.length), read, 0, read.length)

      assert.deepEqual(read, numbers)
    }
  })

  test('take a bit for 32 zeros, and eleven bytes more for one large number among them', () => {
    const zeros = new Uint32Array(3200)
    const outlier = new Uint32Array(3200)
    outlier[1000] = 2 ** 32 - 1

    const lengths = [zeros, outlier].map((numbers) => written(numbers).length)

    assert.deepEqual(lengths, [13, 24])
  })

  test('refuse to read beyond the end', () => {
    const bytes = written(Uint32Array.from({ length: 64 }, (_, i) => i * 1000))
    const cut = new ChunkReader(bytes, 0, bytes.length - 1)

    assert.throws(() => readRice(cut, new Uint32Array(64), 0, 64), ChunkDamagedError)
  })
})

function written(numbers: Uint32Array): Uint8Array {
  const writer = new ChunkWriter(0)
  writeRice(writer, numbers, 0, numbers.length)
  return writer.take()
}
