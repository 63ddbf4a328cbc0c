import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { releaseBytes, returnMemoryOfStart } from './memory.ts'

const spaceForNewObjects = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.physical_space_size

/** Lets the space for new objects grow, which takes objects that outlive it. */
function load(): void {
  const kept: object[] = []
  for (let count = 0; count < 1_000_000; count++) kept.push({ count })
}

test('an idle process returns the space for new objects that its start needed', async () => {
  load()
  const needed = spaceForNewObjects()

  returnMemoryOfStart(20)

  while (spaceForNewObjects() > needed / 2) await wait(20)
  assert.ok(spaceForNewObjects() < needed / 2)
})

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
