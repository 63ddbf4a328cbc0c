import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type ColumnKind, decodeCopyRows, encodeCopyRow, type StoredValue } from './snapshot.ts'

const KINDS: ColumnKind[] = ['text', 'whole', 'double', 'bytes']

async function decode(text: string, pieceBytes = 1_000): Promise<StoredValue[][]> {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes)
  }
  const rows: StoredValue[][] = []
  for await (const row of decodeCopyRows(pieces(), KINDS)) rows.push(row)
  return rows
}

describe('rows in the text format of COPY', () => {
  test('are the same after encoding and decoding, however they arrive', async () => {
    const row = fc.tuple(
      fc.option(fc.string({ unit: 'binary' })),
      fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      fc.option(fc.double({ noNaN: true })),
      fc.option(fc.uint8Array()),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), fc.integer({ min: 1, max: 9 }), async (rows, pieceBytes) => {
        const decoded = await decode(rows.map(encodeCopyRow).join(''), pieceBytes)

        assert.deepEqual(
          decoded.map((values) => values.map((value) => (value instanceof Uint8Array ? [...value] : value))),
          rows.map((values) => values.map((value) => (value instanceof Uint8Array ? [...value] : value))),
        )
      }),
      { numRuns: 30 },
    )
  })

  test('are written as PostgreSQL writes them', () => {
    assert.equal(
      encodeCopyRow(['a\tb\\c\nd', 12n, -0, Buffer.from([1, 255]), null, '\\N']),
      'a\\tb\\\\c\\nd\t12\t-0\t\\\\x01ff\t\\N\t\\\\N\n',
    )
  })

  for (const [name, text, says] of [
    ['with a column too few', 'a\t1\t2\n', /Row 1 has 3 columns in place of 4/],
    ['that are broken off', 'a\t1\t2\t\\N', /not complete/],
    ['with bytes that are none', 'a\t1\t2\tzz\n', /column of bytes/],
    ['with a whole number that is none', 'a\tx\t2\t\\N\n', /BigInt/],
  ] as const) {
    test(`${name} are refused`, async () => {
      await assert.rejects(decode(text), says)
    })
  }
})
