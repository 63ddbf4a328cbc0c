import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FairLine } from './fair-line.ts'

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
