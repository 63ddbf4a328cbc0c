import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { seal, sealedSize, unseal } from './sealed-stream.ts'

const key = randomBytes(32)

async function* pieces(bytes: Buffer, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function sealed(content: Buffer, name = 'a'): Promise<Buffer> {
  return await buffer(seal(pieces(content, 10_000), key, name))
}

async function opened(bytes: Buffer, { name = 'a', with: other = key } = {}): Promise<Buffer> {
  return await buffer(unseal(pieces(bytes, 7_777), other, name))
}

describe('a sealed file', () => {
  for (const size of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
    test(`of ${size} bytes is the same once opened, and has the size that is expected`, async () => {
      const content = randomBytes(size)

      const bytes = await sealed(content)

      assert.deepEqual(await opened(bytes), content)
      assert.equal(bytes.length, sealedSize(size))
    })
  }

  const CHUNK = 65_536 + 16
  const changes: [string, (bytes: Buffer) => Buffer][] = [
    ['a flipped bit', (bytes) => Object.assign(Buffer.from(bytes), { 100000: bytes[100_000] ^ 1 })],
    ['a flipped bit of its salt', (bytes) => Object.assign(Buffer.from(bytes), { 0: bytes[0] ^ 1 })],
    ['its last byte cut off', (bytes) => bytes.subarray(0, -1)],
    ['its last chunk cut off', (bytes) => bytes.subarray(0, 32 + CHUNK)],
    ['everything behind its salt cut off', (bytes) => bytes.subarray(0, 32)],
    ['half of its salt cut off', (bytes) => bytes.subarray(0, 16)],
    ['nothing left of it', () => Buffer.alloc(0)],
    ['a byte added', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
    ['two chunks in another order', (bytes) => reordered(bytes)],
    ['a chunk twice', (bytes) => Buffer.concat([bytes.subarray(0, 32 + CHUNK), bytes.subarray(32)])],
  ]
  for (const [name, change] of changes) {
    test(`with ${name} is refused`, async () => {
      const bytes = await sealed(randomBytes(3 * 65_536))

      await assert.rejects(opened(change(bytes)), /a is damaged/)
    })
  }

  test('under another name or with another key is refused', async () => {
    const bytes = await sealed(Buffer.from('text'), 'a')

    await assert.rejects(opened(bytes, { name: 'b' }), /b is damaged/)
    await assert.rejects(opened(bytes, { with: randomBytes(32) }), /a is damaged/)
  })

  function reordered(bytes: Buffer): Buffer {
    const chunk = (number: number) => bytes.subarray(32 + number * CHUNK, 32 + (number + 1) * CHUNK)
    return Buffer.concat([bytes.subarray(0, 32), chunk(1), chunk(0), chunk(2)])
  }
})
