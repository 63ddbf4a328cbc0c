import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCursorCodec, isCursorText, pageOf } from './list-cursor.ts'

const codec = createCursorCodec<{ startMs: number; id: string }>(
  'start desc',
  ({ startMs, id }) => Number.isSafeInteger(startMs) && isCursorText(id),
)

describe('a cursor codec', () => {
  test('gives back the payload that it encoded, in characters that need no escape in an address', () => {
    const cursor = codec.encode({ startMs: -62_135_596_800_000, id: 'é"/' })

    assert.match(cursor, /^[\w-]+$/)
    assert.deepEqual(codec.decode(cursor), { startMs: -62_135_596_800_000, id: 'é"/' })
  })

  const ofOtherOrder = createCursorCodec('start asc', () => true)
  const anything = createCursorCodec('start desc', () => true)
  for (const [name, cursor] of [
    ['of another order', ofOtherOrder.encode({ startMs: 1, id: 'a' })],
    ['with a number that is none', anything.encode({ startMs: '1', id: 'a' })],
    ['with too little', anything.encode({ startMs: 1 })],
    ['with a text that PostgreSQL refuses', anything.encode({ startMs: 1, id: 'a\0' })],
    ['that is no JSON', 'bm9uZQ'],
    ['that is no array', Buffer.from('{"a":1}').toString('base64url')],
    ['without a payload', Buffer.from('["start desc",null]').toString('base64url')],
    ['that is empty', ''],
  ]) {
    test(`refuses a cursor ${name}`, () => {
      assert.throws(() => codec.decode(cursor), {
        status: 400,
        message: 'cursor must be a next_cursor of this list, in the same order',
      })
    })
  }
})

describe('pageOf', () => {
  const positionOf = (id: string) => ({ startMs: 0, id })

  test('leads to the next page from the last row shown', () => {
    const { rows, nextCursor } = pageOf(['a', 'b', 'c'], 2, codec, positionOf)

    assert.deepEqual(rows, ['a', 'b'])
    assert.deepEqual(codec.decode(nextCursor!), { startMs: 0, id: 'b' })
  })

  test('ends where no row is left', () => {
    assert.deepEqual(pageOf(['a', 'b'], 2, codec, positionOf), { rows: ['a', 'b'], nextCursor: null })
    assert.deepEqual(pageOf([], 2, codec, positionOf), { rows: [], nextCursor: null })
  })
})
