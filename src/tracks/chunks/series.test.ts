import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ChunkReader, ChunkWriter } from './bytes.ts'
import { ChunkDamagedError } from './chunk-damaged-error.ts'
import { compressPlanes, readPlanes, writePlanes } from './series.ts'
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
