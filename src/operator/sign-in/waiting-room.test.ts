import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { type Rank, WaitingRoom } from './waiting-room.ts'

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
