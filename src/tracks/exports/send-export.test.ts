import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { ExportScheduler } from './send-export.ts'

describe('ExportScheduler', () => {
  test('gives the event loop a turn between any two pieces, of however many exports', async () => {
    const turns = new ExportScheduler()
    const formattedIn: number[] = []
    let turn = 0
    let isOver = false
    const count = () => {
      turn++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    async function* pieces() {
      for (let i = 0; i < 50; i++) {
        formattedIn.push(turn)
        yield 'piece'
      }
    }

    // The first pieces are formatted at once.
    const files = await Promise.all(Array.from({ length: 4 }, () => buffer(turns.bytes(pieces()))))
    isOver = true

    assert.deepEqual(
      files.map(({ length }) => length),
      Array(4).fill(250),
    )
    const later = formattedIn.slice(4)
    assert.equal(new Set(later).size, later.length)
  })

  test('joins small pieces, and keeps text and bytes in their order', async () => {
    async function* pieces() {
      yield 'é'
      yield new Uint8Array(70_000)
      yield ''
      yield Uint8Array.of(7)
    }

    const buffers: Buffer[] = []
    for await (const bytes of new ExportScheduler().bytes(pieces())) buffers.push(bytes)

    assert.deepEqual(
      buffers.map(({ length }) => length),
      [70_002, 1],
    )
    assert.equal(buffers[0].subarray(0, 2).toString(), 'é')
    assert.equal(buffers[1][0], 7)
  })

  test('lets an export end that fails, and the others go on', async () => {
    const turns = new ExportScheduler()
    async function* failing() {
      yield 'one'
      throw new Error('the track was deleted')
    }
    async function* whole() {
      for (let i = 0; i < 5; i++) yield 'x'
    }

    const [failed, other] = await Promise.allSettled([buffer(turns.bytes(failing())), buffer(turns.bytes(whole()))])

    assert.equal(failed.status, 'rejected')
    assert.equal(other.status === 'fulfilled' && other.value.toString(), 'xxxxx')
  })
})
