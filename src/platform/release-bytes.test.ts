import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { releaseBytes } from './release-bytes.ts'

describe('Bytes that are released', () => {
  test('are gone when they have their memory to themselves', () => {
    const bytes = Buffer.allocUnsafeSlow(100_000)

    releaseBytes(bytes)

    assert.equal(bytes.length, 0)
  })

  test('stay when their memory holds others, too', () => {
    const pooled = Buffer.from('short')
    const part = Buffer.alloc(100_000, 'a').subarray(1)

    for (const bytes of [pooled, part]) releaseBytes(bytes)

    assert.deepEqual([pooled.toString(), part.length], ['short', 99_999])
  })
})
