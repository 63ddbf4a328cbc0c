import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import type { FailuresStore } from './failures-store.ts'
import type { HashLane } from './password-hash.ts'
import { createSignInThrottle, Newcomers, type Rank, WaitingRoom } from './sign-in-throttle.ts'

/** Failures that are never counted, so that only the number of attempts at once matters. */
const uncounted: FailuresStore = {
  find: async () => undefined,
  count: async () => true,
  forgive: async () => {},
  clear: async () => {},
  removeOld: async () => {},
  removeExcess: async () => {},
}

test('addresses that try again and again leave places and a lane of their own to one that tries first', async () => {
  const throttle = createSignInThrottle(uncounted, () => 0)
  const end = Promise.withResolvers<HashLane>()
  const lanes: HashLane[] = []
  const flood = async (i: number) => {
    for (let turn = 0; turn < 5; turn++)
      await throttle
        .attempt({ address: `192.0.2.${i}` }, async (lane) => {
          lanes.push(lane)
          return turn < 4 ? Promise.reject(new Error('wrong')) : end.promise
        })
        .catch(() => {})
  }

  const flooding = Array.from({ length: 40 }, (_, i) => flood(i))
  await new Promise(setImmediate)

  assert.equal(lanes.filter((lane) => lane === 'strangers').length, 32)
  await assert.rejects(
    throttle.attempt({ address: '192.0.2.1' }, () => end.promise),
    { code: 'UNAVAILABLE' },
  )
  assert.equal(await throttle.attempt({ address: '198.51.100.1' }, async (lane) => lane), 'newcomers')
  assert.equal(await throttle.attempt({ lane: 'browser 1' }, async (lane) => lane), 'known')
  end.resolve('strangers')
  await Promise.all(flooding)
})

test('an address that signs in again and again stays a newcomer', async () => {
  const throttle = createSignInThrottle(uncounted, () => 0)
  const lanes: HashLane[] = []

  for (let turn = 0; turn < 6; turn++)
    await throttle.attempt({ address: '192.0.2.1' }, async (lane) => void lanes.push(lane))

  assert.deepEqual(new Set(lanes), new Set(['newcomers']))
})

describe('newcomers', () => {
  let nowMs = 0
  const tries = (newcomers: Newcomers, count: number, address: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => newcomers.admit(address(i))).filter((rank) => rank !== undefined).length

  test('are addresses until their fifth attempt, a subscriber of IPv6 being one', () => {
    const newcomers = new Newcomers(() => nowMs)

    assert.equal(
      tries(newcomers, 9, () => '192.0.2.1'),
      4,
    )
    assert.equal(
      tries(newcomers, 9, (i) => `2001:db8:1:1:${i}::`),
      4,
    )
    assert.equal(
      tries(newcomers, 40, (i) => `2001:db8:2:${i}::`),
      16,
    )
    assert.deepEqual(newcomers.admit('192.0.2.2'), [1, 10])
  })

  test('are addresses that have signed in, or have not tried for a quarter of an hour', () => {
    const newcomers = new Newcomers(() => nowMs)
    tries(newcomers, 9, () => '192.0.2.1')
    tries(newcomers, 9, () => '192.0.2.2')
    newcomers.forgive('192.0.2.1')
    nowMs += 14 * 60_000

    assert.deepEqual([newcomers.admit('192.0.2.1'), newcomers.admit('192.0.2.2')], [[1, 19], undefined])
    nowMs += 15 * 60_000
    assert.deepEqual(newcomers.admit('192.0.2.2'), [1, 1])
  })

  test('come in the order of their attempts, and then of those of their network', () => {
    const newcomers = new Newcomers(() => nowMs)

    assert.deepEqual(
      ['192.0.2.1', '192.0.2.1', '192.0.2.2', '198.51.100.1', '2001:db8::1', '2001:db8:0:1::1'].map((address) =>
        newcomers.admit(address),
      ),
      [
        [1, 1],
        [2, 2],
        [1, 3],
        [1, 1],
        [1, 1],
        [1, 2],
      ],
    )
  })
})

describe('a waiting room', () => {
  const order: string[] = []
  const enter = async (room: WaitingRoom, name: string, rank: Rank) => {
    order.push(`${name} ${(await room.enter(rank)) ? 'in' : 'out'}`)
  }
  const settled = () => new Promise(setImmediate)
  const seen = async () => {
    await settled()
    return order.splice(0)
  }

  test('lets in as many as fit, then the best rank first, and the first of equal rank', async () => {
    const room = new WaitingRoom({ atOnce: 2, waiting: 9, maxWaitMs: 60_000 })
    const ranks: Rank[] = [
      [9, 9],
      [9, 9],
      [2, 1],
      [1, 7],
      [1, 3],
      [1, 7],
    ]

    ranks.forEach((rank, i) => void enter(room, String(i), rank))
    assert.deepEqual(await seen(), ['0 in', '1 in'])
    for (const _ of ranks) room.leave()

    assert.deepEqual(await seen(), ['4 in', '3 in', '5 in', '2 in'])
    void enter(room, 'later', [5, 5])
    void enter(room, 'last', [5, 5])
    void enter(room, 'too many', [5, 5])
    assert.deepEqual(await seen(), ['later in', 'last in'])
    room.leave()
    assert.deepEqual(await seen(), ['too many in'])
  })

  test('that is full refuses the worst, who may be the one that arrives', async () => {
    const room = new WaitingRoom({ atOnce: 1, waiting: 2, maxWaitMs: 60_000 })
    void enter(room, 'inside', [9, 9])
    for (const name of ['first', 'second', 'third']) void enter(room, name, [2, 2])
    void enter(room, 'better', [1, 5])

    assert.deepEqual(await seen(), ['inside in', 'third out', 'second out'])
    room.leave()
    room.leave()
    assert.deepEqual(await seen(), ['better in', 'first in'])
  })

  test('refuses those that have waited too long, and forgets them', async (t) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.after(() => mock.timers.reset())
    const room = new WaitingRoom({ atOnce: 1, waiting: 2, maxWaitMs: 1000 })
    void enter(room, 'inside', [1, 1])
    void enter(room, 'patient', [1, 1])
    mock.timers.tick(999)
    void enter(room, 'later', [1, 1])
    assert.deepEqual(await seen(), ['inside in'])

    mock.timers.tick(1)

    assert.deepEqual(await seen(), ['patient out'])
    room.leave()
    assert.deepEqual(await seen(), ['later in'])
    // The time of one that was let in has ended meanwhile, which takes nobody else's place.
    void enter(room, 'next', [1, 1])
    mock.timers.tick(999)
    room.leave()
    assert.deepEqual(await seen(), ['next in'])
  })
})
