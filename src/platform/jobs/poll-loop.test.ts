import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { PollLoop, type PollLoopOptions, WatchRegistry } from './poll-loop.ts'

const HOUR_MS = 3_600_000

/** A loop that rests for an hour unless it is woken, and what it did. */
function openLoop(t: { after(end: () => void): void }, options: Partial<PollLoopOptions> = {}) {
  const seen = { polls: 0, ends: 0, isWatched: true, errors: [] as unknown[] }
  const loop = new PollLoop({
    poll: async () => {
      seen.polls++
    },
    isWatched: () => seen.isWatched,
    intervalMs: HOUR_MS,
    onError: (error) => seen.errors.push(error),
    onEnd: () => seen.ends++,
    ...options,
  })
  t.after(() => {
    seen.isWatched = false
    loop.wake()
  })
  return { loop, seen }
}

describe('a poll loop', () => {
  test('runs once however often it is started, and rests after a poll', async (t) => {
    const { loop, seen } = openLoop(t)

    loop.start()
    loop.start()
    await turn()

    assert.equal(seen.polls, 1)
  })

  test('polls at once when it is woken from its rest', async (t) => {
    const { loop, seen } = openLoop(t)
    loop.start()
    await turn()

    loop.wake()
    await turn()

    assert.equal(seen.polls, 2)
  })

  test('polls again without a rest where it was woken during a poll', async (t) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let polls = 0
    const { loop } = openLoop(t, {
      poll: async () => {
        polls++
        if (polls === 1) await promise
      },
    })
    loop.start()

    loop.wake()
    resolve()
    await turn()

    assert.equal(polls, 2)
  })

  test('rests after a failure, and goes on', async (t) => {
    const failure = new Error('no database')
    let polls = 0
    const { loop, seen } = openLoop(t, {
      poll: async () => {
        polls++
        if (polls === 1) throw failure
      },
    })
    loop.start()
    await turn()

    assert.deepEqual([polls, seen.errors], [1, [failure]])
    loop.wake()
    await turn()

    assert.deepEqual([polls, seen.ends], [2, 0])
  })

  test('ends when nobody watches, and can start again', async (t) => {
    const { loop, seen } = openLoop(t)
    loop.start()
    await turn()

    seen.isWatched = false
    loop.wake()
    await turn()
    assert.deepEqual([seen.polls, seen.ends], [1, 1])

    seen.isWatched = true
    loop.start()
    await turn()
    assert.equal(seen.polls, 2)
  })

  test('rests 20 times as long as a poll took, but no longer than its limit', async (t) => {
    let polls = 0
    const startMs = performance.now()
    const { promise: third, resolve } = Promise.withResolvers<void>()
    const { loop } = openLoop(t, {
      intervalMs: 1,
      maxIntervalMs: 150,
      poll: async () => {
        polls++
        if (polls === 3) resolve()
        const endMs = performance.now() + (polls === 1 ? 4 : 50)
        while (performance.now() < endMs);
      },
    })
    loop.start()

    await third

    const restMs = performance.now() - startMs
    assert.ok(restMs >= 80 + 150, `${restMs} ms`)
    assert.ok(restMs < 900, `${restMs} ms`)
  })
})

test('everybody who watches a thing shares one watch, until it ends', () => {
  const registry = new WatchRegistry((id, onEnd) => ({ id, onEnd }))

  const first = registry.open('a')

  assert.equal(registry.open('a'), first)
  assert.equal(registry.find('a'), first)
  assert.notEqual(registry.open('b'), first)
  first.onEnd()
  assert.equal(registry.find('a'), undefined)
  assert.notEqual(registry.open('a'), first)
})
