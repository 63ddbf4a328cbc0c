import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isValidAt, maskToken } from './token.ts'

const NOW_MS = 1_000_000

test('a token is valid until its end, and without one for ever', () => {
  assert.deepEqual(
    [null, NOW_MS + 1, NOW_MS].map((expires_at) => isValidAt({ expires_at }, NOW_MS)),
    [true, true, false],
  )
})

test('a masked token shows its first 8 and last 4 characters', () => {
  assert.equal(maskToken('trk_0123456789abcdef'), 'trk_0123…cdef')
})
