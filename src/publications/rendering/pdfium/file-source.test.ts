import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { temporaryFile } from '../../../../test/support/temporary-file.ts'
import { openFileSource } from './file-source.ts'

function openBytes(t: { after: (end: () => void) => void }, bytes: Uint8Array) {
  const source = openFileSource(temporaryFile(t, bytes))
  t.after(() => source.close())
  return source
}

/** Larger than what a source keeps in memory. */
const LARGE = Uint8Array.from({ length: 6_000_000 }, (_, at) => (at * 7 + (at >> 8) * 13) % 251)

describe('openFileSource', () => {
  test('reads what is at a position, across its blocks and in any order', (t) => {
    const source = openBytes(t, LARGE)
    const target = new Uint8Array(100_000)

    for (const position of [0, 5_900_000, 65_500, 3_000_001, 1, 5_900_000]) {
      assert.ok(source.read(position, target))
      assert.deepEqual(target, LARGE.subarray(position, position + target.length))
    }
  })

  test('refuses what goes beyond the end of the file', (t) => {
    const source = openBytes(t, LARGE.subarray(0, 1000))

    assert.equal(source.size, 1000)
    assert.ok(source.read(900, new Uint8Array(100)))
    assert.ok(!source.read(901, new Uint8Array(100)))
  })
})
