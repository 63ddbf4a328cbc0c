import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Fetch } from './queue/exchange.ts'
import { memoryStorage } from './storage/memory-storage.ts'
import { openTrackQueue } from './track-queue.ts'

type Answer = Awaited<ReturnType<Fetch>>

/** Opens a queue whose requests `answer` gets, and counts them. */
function openQueue(answer: (request: number) => Promise<Answer> | Answer) {
  const sent = { requests: 0 }
  const fetch: Fetch = async () => await answer(++sent.requests)
  const storage = memoryStorage()
  const queue = openTrackQueue({ baseUrl: 'https://x.example', token: 'trk_x', storage, fetch })
  return { storage, queue, sent }
}

function answerWith(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const all: Record<string, string> = { 'Trackpress-Api': '1', ...headers }
  return { status, headers: { get: (name) => all[name] ?? null }, text: async () => JSON.stringify(body) }
}

/** Waits until all promises have run that do not wait for a timer. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 200; turns++) await setImmediate()
}

describe('stop', () => {
  test('leaves the tracks that were not begun to the next start', async () => {
    const { queue, sent } = openQueue((request) => {
      if (request === 3) queue.stop()
      return answerWith(201, { id: `server-${request}` })
    })
    for (let at = 0; at < 24; at++) await queue.createTrack({}, `walk-${at}`)
    const states: string[] = []
    queue.onState(({ state }) => states.push(state))

    const { state } = await queue.flush()
    await settle()

    assert.equal(sent.requests, 3)
    assert.equal(state, 'stopped')
    assert.deepEqual(states, ['sending', 'stopped'])
    assert.equal((await queue.tracks()).filter(({ id }) => id !== undefined).length, 3)

    queue.start()
    while (queue.state.state !== 'idle') await setImmediate()
    queue.stop()
    assert.equal(sent.requests, 24)
  })

  test('is over at the next start, also while a request is still under way', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const { queue, sent } = openQueue((request) => (request === 1 ? promise : answerWith(201, { id: `s-${request}` })))
    for (let at = 0; at < 4; at++) await queue.createTrack({}, `walk-${at}`)
    queue.start()
    while (sent.requests === 0) await setImmediate()
    queue.stop()
    queue.start()
    await settle()
    assert.equal(sent.requests, 1)

    resolve(answerWith(201, { id: 's-1' }))
    while (queue.state.state !== 'idle') await setImmediate()
    queue.stop()

    assert.equal(sent.requests, 4)
  })

  test('holds for everything that was to be sent before it', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const { queue, sent } = openQueue(() => promise)
    for (let at = 0; at < 4; at++) await queue.createTrack({}, `walk-${at}`)

    const flushes = [queue.flush()]
    await settle()
    for (let times = 0; times < 3; times++) {
      queue.stop()
      flushes.push(queue.flush())
    }
    queue.stop()
    resolve(answerWith(201, { id: 's-1' }))

    for (const { state } of await Promise.all(flushes)) assert.equal(state, 'stopped')
    assert.equal(sent.requests, 1)
    void queue.flush()
    queue.stop()
    await settle()
    assert.deepEqual([sent.requests, queue.state], [1, { state: 'stopped' }])
  })

  test('holds back a request whose body is being compressed', async () => {
    const { queue, sent } = openQueue((request) => answerWith(201, { id: `s-${request}` }))
    await queue.createTrack({ title: 'x'.repeat(200_000) }, 'walk')
    const flushed = queue.flush()
    for (let turns = 0; turns < 40; turns++) await Promise.resolve()
    assert.equal(sent.requests, 0)

    queue.stop()

    assert.deepEqual(await flushed, { state: 'stopped' })
    assert.equal(sent.requests, 0)
  })
})

describe('start', () => {
  for (const retryAfter of ['0', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
    test(`sends seldom to a server that answers Retry-After: ${retryAfter}`, async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
      t.mock.method(performance, 'now', () => Date.now())
      const { queue, sent } = openQueue(() => answerWith(503, {}, { 'Retry-After': retryAfter }))
      await queue.createTrack({}, 'walk')

      queue.start()
      for (let second = 0; second < 60; second++) {
        t.mock.timers.tick(1000)
        await settle()
      }
      queue.stop()

      assert.ok(sent.requests >= 5 && sent.requests <= 8, `${sent.requests} requests in a minute`)
    })
  }
})

describe('discardTrack', () => {
  test('leaves nothing in storage, whenever points are added at the same time', async () => {
    const { storage, queue } = openQueue(() => answerWith(503, {}))
    const point = { latitude: 45.9, longitude: 6.87, timestamp: 0 }
    for (let turns = -40; turns <= 40; turns++) {
      await queue.createTrack({}, 'walk')
      await queue.addPoints('walk', [point])

      const discarded = after(Math.max(turns, 0), () => queue.discardTrack('walk'))
      const added = after(Math.max(-turns, 0), () => queue.addPoints('walk', [point]))

      await Promise.all([discarded, assertAddedOrUnknown(added)])
      for (const kind of ['e', 't']) assert.deepEqual(await storage.read(kind, `${kind}~`, 10), [], `${turns} turns`)
    }
  })
})

describe('A finished track', () => {
  test('is forgotten for newer ones, but not while points are added to it', async () => {
    const point = { latitude: 45.9, longitude: 6.87, timestamp: 0 }
    for (let turns = 0; turns <= 240; turns += 3) {
      const { storage, queue } = openQueue((request) => answerWith(201, { id: `s-${request}` }))
      await queue.createTrack({}, 'walk')
      await queue.finishTrack('walk')
      for (let at = 0; at < 51; at++) {
        await storage.write([
          [`t${String(900 + at).padStart(12, '0')}`, `{"deviceTrackId":"x${at}","isFinished":true}`],
        ])
      }
      await queue.flush()

      const added = after(turns, () => queue.addPoints('walk', [point]))
      await Promise.all([queue.createTrack({}, 'next'), assertAddedOrUnknown(added)])

      const tracks = (await storage.read('t', 'u', 100)).map(([key]) => key.slice(1))
      for (const [key] of await storage.read('e', 'f', 10))
        assert.ok(tracks.includes(key.slice(1, 13)), `${turns} turns`)
    }
  })
})

async function after<Result>(turns: number, work: () => Promise<Result>): Promise<Result> {
  for (let at = 0; at < turns; at++) await Promise.resolve()
  return await work()
}

/** Points of a track that has just gone are refused with a word. */
async function assertAddedOrUnknown(added: Promise<unknown>): Promise<void> {
  const outcome = await added.then(
    () => 'added',
    (error: Error) => error.message,
  )
  assert.match(outcome, /^added$|^The queue has no track walk\.$/)
}
