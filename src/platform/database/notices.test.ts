import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type NoticeListener, type Notices, NotifiedCache } from './notices.ts'

const LIFETIME_MS = 500

/** A cache of a `find` that is answered by hand, with notices and a clock of the test's own. */
function openCache({ maxEntries = 10, isKept = ({ at }: { at: number }) => at >= 0 } = {}) {
  const world = { nowMs: 1_000_000, isLive: true, queries: 0 }
  const listeners = new Set<NoticeListener>()
  const notices: Notices = {
    publish: async (_topic, payload) => {
      for (const listener of listeners) listener(payload)
    },
    subscribe: (_topic, listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isLive: () => world.isLive,
  }
  let answer = async (_key: string): Promise<{ at: number } | undefined> => ({ at: world.queries })
  const cache = new NotifiedCache<{ at: number }>({
    find: (key) => {
      world.queries++
      return answer(key)
    },
    isKept,
    topic: 'changed',
    notices,
    nowMs: () => world.nowMs,
    lifetimeMs: LIFETIME_MS,
    maxEntries,
  })
  const answerWith = (next: typeof answer) => {
    answer = next
  }
  return { cache, world, notices, listeners, answerWith }
}

describe('a cache emptied by notices', () => {
  test('asks once for requests at the same time, and answers from memory afterwards', async () => {
    const { cache, world } = openCache()

    assert.equal(cache.peek('a'), undefined)
    const found = await Promise.all([cache.find('a'), cache.find('a')])

    assert.deepEqual([...found, await cache.find('a'), cache.peek('a')], Array(4).fill({ at: 1 }))
    assert.equal(world.queries, 1)
  })

  test('is refreshed from the database, by one query for requests at the same time', async () => {
    const { cache, world } = openCache()
    await cache.find('a')

    const refreshed = await Promise.all([cache.refresh('a'), cache.refresh('a')])

    assert.deepEqual(refreshed, [{ at: 2 }, { at: 2 }])
    assert.equal(world.queries, 2)
    assert.deepEqual(cache.peek('a'), { at: 2 })
  })

  test('asks again after its lifetime, counted from before the query', async () => {
    const { cache, world, answerWith } = openCache()
    answerWith(async () => {
      world.nowMs += LIFETIME_MS
      return { at: world.queries }
    })

    await cache.find('a')

    assert.equal(cache.peek('a'), undefined)
    assert.deepEqual(await cache.find('a'), { at: 2 })
  })

  test('asks again after a notice, also for an answer that was under way', async () => {
    const { cache, notices, answerWith } = openCache()
    const { promise, resolve } = Promise.withResolvers<{ at: number }>()
    answerWith(() => promise)
    const asked = cache.find('a')

    await notices.publish('changed', 'x')
    resolve({ at: 7 })

    assert.deepEqual(await asked, { at: 7 })
    assert.equal(cache.peek('a'), undefined)
  })

  test('does not answer from memory while notices do not arrive', async () => {
    const { cache, world } = openCache()
    await cache.find('a')

    world.isLive = false

    assert.equal(cache.peek('a'), undefined)
    assert.deepEqual(await cache.find('a'), { at: 2 })
  })

  test('keeps neither a missing answer nor one that is not to be kept, nor a failure', async () => {
    const { cache, answerWith } = openCache({ isKept: ({ at }) => at > 0 })

    for (const next of [async () => undefined, async () => ({ at: 0 })]) {
      answerWith(next)
      await cache.find('a')
      assert.equal(cache.peek('a'), undefined)
    }
    answerWith(() => Promise.reject(new Error('gone')))
    await assert.rejects(cache.find('a'), /gone/)
    answerWith(async () => ({ at: 5 }))
    assert.deepEqual(await cache.find('a'), { at: 5 })
  })

  test('forgets what was used longest ago where it is full', async () => {
    const { cache } = openCache({ maxEntries: 2 })
    await cache.find('a')
    await cache.find('b')
    await cache.find('a')

    await cache.find('c')

    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => cache.peek(key) !== undefined),
      [true, false, true],
    )
  })

  test('announces a change to every instance and forgets it at once here', async () => {
    const { cache, listeners } = openCache()
    const heard: (string | undefined)[] = []
    listeners.add((payload) => heard.push(payload))
    await cache.find('a')

    const announced = cache.announceChange('x')

    assert.equal(cache.peek('a'), undefined)
    await announced
    assert.deepEqual(heard, ['x'])
  })

  test('stops listening when it is closed', () => {
    const { cache, listeners } = openCache()

    cache.close()

    assert.equal(listeners.size, 0)
  })
})
