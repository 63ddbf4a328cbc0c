import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { AppError } from '#platform/basics/errors.ts'
import { rejection } from '../../../test/support/rejection.ts'
import { type CallerKind, ComputeScheduler, FairLine } from './turns.ts'

/** Turns in which every computation runs until it is ended, in the order in which they began. */
function openTurns() {
  const turns = new ComputeScheduler()
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (caller: CallerKind, name: string, dropped?: AbortSignal) =>
    turns.take(
      caller,
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

describe('ComputeScheduler', () => {
  test('runs one computation at a time for everyone but phones, maintenance before operators before spectators', async () => {
    const { begun, ask, end } = openTurns()
    void ask('spectator', 'first spectator')
    void ask('spectator', 'second spectator')
    void ask('operator', 'operator')
    void ask('maintenance', 'maintenance')

    for (const name of ['first spectator', 'maintenance', 'operator', 'second spectator']) await end(name)

    assert.deepEqual(begun, ['first spectator', 'maintenance', 'operator', 'second spectator'])
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
    assert.deepEqual([refused.status, refused.headers], [503, { 'retry-after': '5' }])
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

const LIMIT_MS = 60_000

/** Lets people take turns, and notes in which order they begin. */
function start() {
  const line = new FairLine()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const enter = (eventId: string, person: string, left = new AbortController()) => {
    const turn = line.turn({ eventId, person }, LIMIT_MS, left.signal).then((end) => {
      begun.push(`${eventId} ${person}`)
      ends.push(end!)
    })
    return { turn: turn.catch(() => {}), left }
  }
  const end = () => ends.shift()?.()
  const next = async () => {
    await new Promise(setImmediate)
    end()
    await new Promise(setImmediate)
  }
  return { line, begun, enter, end, next }
}

describe('FairLine', () => {
  test('gives each event its turn, however much another one sends', async () => {
    const { begun, enter, next } = start()
    for (const person of ['a', 'b', 'c', 'd']) enter('busy', person)
    enter('other', 'e')
    enter('other', 'f')

    for (let i = 0; i < 6; i++) await next()

    assert.deepEqual(begun, ['busy a', 'other e', 'busy b', 'other f', 'busy c', 'busy d'])
  })

  test('gives each person of an event a turn, however much another one sends', async () => {
    const { begun, enter, next } = start()
    for (let i = 0; i < 3; i++) enter('event', 'busy')
    enter('event', 'b')
    enter('event', 'c')

    for (let i = 0; i < 5; i++) await next()

    assert.deepEqual(begun, ['event busy', 'event b', 'event c', 'event busy', 'event busy'])
  })

  test('drops the work of a client that has left', async () => {
    const { line, begun, enter, next } = start()
    enter('event', 'a')
    const { left, turn } = enter('event', 'b')
    enter('event', 'c')
    left.abort(new Error('gone'))
    await turn
    assert.equal(line.has({ eventId: 'event', person: 'b' }), false)

    for (let i = 0; i < 3; i++) await next()

    assert.deepEqual(begun, ['event a', 'event c'])
    assert.equal(line.length, 0)
  })

  test('goes on after a client that leaves at the moment of its turn', async () => {
    const { begun, enter, end, next } = start()
    enter('event', 'a')
    const { left } = enter('event', 'b')
    enter('event', 'c')
    await new Promise(setImmediate)

    left.abort(new Error('gone'))
    end()
    await next()

    assert.deepEqual(begun, ['event a', 'event c'])
  })
})
