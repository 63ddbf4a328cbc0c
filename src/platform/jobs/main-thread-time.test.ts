import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { MainThreadShare, ShortSlices } from './main-thread-time.ts'

/** Uses processor time. */
function keepBusy(ms: number): void {
  const before = process.threadCpuUsage()
  while (process.threadCpuUsage(before).user < ms * 1000);
}

describe('MainThreadShare', () => {
  test('does the work for every item in order, and rests three times as long as it worked', async () => {
    const share = new MainThreadShare()
    const done: number[] = []
    const seenByOthers = new Set<number>()
    const timer = setInterval(() => seenByOthers.add(done.length), 1)
    const startMs = performance.now()

    await share.forEach([1, 2, 3, 4, 5, 6], (item) => {
      done.push(item)
      keepBusy(5)
    })

    clearInterval(timer)
    assert.deepEqual(done, [1, 2, 3, 4, 5, 6])
    // The last slice rests only if it was full.
    assert.ok(performance.now() - startMs >= 30 + 3 * 25, `${performance.now() - startMs} ms`)
    // Each is longer than a slice.
    for (const item of [1, 2, 3, 4, 5]) assert.ok(seenByOthers.has(item), `others had no turn after ${item}`)
  })

  test('lets several take turns, and goes on after a failure', async () => {
    const share = new MainThreadShare()
    const done: string[] = []
    const failure = share.forEach(['a'], () => {
      throw new Error('a viewer failed')
    })
    const next = share.forEach(['b'], (item) => void done.push(item))

    await assert.rejects(failure, /a viewer failed/)
    await next

    assert.deepEqual(done, ['b'])
  })

  test('rests at most 120 ms for time that was probably spent waiting', async () => {
    const share = new MainThreadShare()
    const startMs = performance.now()

    await share.spend(60_000)

    assert.ok(performance.now() - startMs < 30_000)
  })
})

describe('ShortSlices', () => {
  test('rest after some work, so that others get a turn, and not before', async () => {
    let withoutRest = 0
    for (let i = 0; i < 20; i++) {
      const slices = new ShortSlices()
      let turns = 0
      setImmediate(() => turns++)
      await slices.next()
      // Another process may have had the core for as long as a slice.
      if (turns === 0) withoutRest++

      keepBusy(5)
      await slices.next()

      assert.equal(turns, 1)
    }
    assert.ok(withoutRest > 0)
  })

  test('give others a turn between items', async () => {
    let turnedAt: number | undefined
    let at = 0
    setImmediate(() => {
      turnedAt = at
    })

    await new ShortSlices().each(Array(1000).keys(), (i) => {
      at = i
      if (i === 0) keepBusy(5)
    })

    assert.ok(turnedAt !== undefined && turnedAt < 999)
  })

  test('sort in parts, and leave alike items in their order', async () => {
    const item = fc.record({ rank: fc.integer({ min: 0, max: 50 }), id: fc.nat() })
    const few = fc.array(item, { maxLength: 5 })
    const many = fc.array(item, { minLength: 190, maxLength: 900 })
    await fc.assert(
      fc.asyncProperty(fc.oneof(few, many), async (items) => {
        const byRank = (one: { rank: number }, other: { rank: number }) => one.rank - other.rank

        const sorted = await new ShortSlices().sorted(items, byRank)

        assert.deepEqual(sorted, items.toSorted(byRank))
      }),
      { numRuns: 30 },
    )
  })
})
