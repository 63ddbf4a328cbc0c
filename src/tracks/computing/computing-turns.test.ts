import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { AppError } from '#platform/errors.ts'
import { rejection } from '../../../test/support/rejection.ts'
import { type Asker, ComputingTurns } from './computing-turns.ts'

/** Turns in which every computation runs until it is ended, in the order in which they began. */
function openTurns() {
  const turns = new ComputingTurns()
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (asker: Asker, name: string, dropped?: AbortSignal) =>
    turns.take(
      asker,
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      dropped,
    )
  async function end(name: string): Promise<void> {
    ends.get(name)!()
    await turn()
  }
  return { turns, begun, ask, end }
}

describe('ComputingTurns', () => {
  test('runs one computation at a time for everyone but phones, upkeep before operators before spectators', async () => {
    const { begun, ask, end } = openTurns()
    void ask('spectator', 'first spectator')
    void ask('spectator', 'second spectator')
    void ask('operator', 'operator')
    void ask('upkeep', 'upkeep')

    for (const name of ['first spectator', 'upkeep', 'operator', 'second spectator']) await end(name)

    assert.deepEqual(begun, ['first spectator', 'upkeep', 'operator', 'second spectator'])
  })

  test('begins computations for phones while spectators wait', async () => {
    const { begun, ask } = openTurns()
    for (let i = 0; i < 5; i++) void ask('spectator', `spectator ${i}`)

    void ask('phone', 'phone')
    await turn()

    assert.deepEqual(begun, ['spectator 0', 'phone'])
  })

  test('refuses a computation for a spectator when 64 wait, with Retry-After, but none for others', async () => {
    const { turns, begun, ask } = openTurns()
    for (let i = 0; i < 65; i++) void ask('spectator', 'spectator')

    const refused = await rejection(ask('spectator', 'refused'))
    void ask('operator', 'operator')

    assert.ok(refused instanceof AppError)
    assert.deepEqual([refused.status, refused.options.headers], [503, { 'retry-after': '5' }])
    assert.equal(turns.queueLength, 65)
    assert.ok(!begun.includes('refused'))
  })

  test('drops a computation that waits, and does not end one that runs', async () => {
    const { turns, begun, ask, end } = openTurns()
    const [running, waiting] = [new AbortController(), new AbortController()]
    const first = ask('spectator', 'running', running.signal)
    const second = rejection(ask('spectator', 'waiting', waiting.signal))

    running.abort()
    waiting.abort(new Error('left'))

    assert.equal(((await second) as Error).message, 'left')
    assert.equal(turns.queueLength, 0)
    void ask('spectator', 'next')
    await turn()
    assert.deepEqual(begun, ['running'])
    await end('running')
    await first
    assert.deepEqual(begun, ['running', 'next'])
  })
})
