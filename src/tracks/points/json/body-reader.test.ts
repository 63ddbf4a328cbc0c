import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { describe, type TestContext, test } from 'node:test'
import { AppError } from '#platform/basics/errors.ts'
import { rejection } from '../../../../test/support/rejection.ts'
import { readPhoneBatch } from '../../phones/phone-formats.ts'
import { createBodyReader } from './body-reader.ts'

const MIB = 1_048_576

/** A batch in the format of OwnTracks, which white space makes as long as it is to be. */
function phoneRequest(bytes = 0) {
  const json = JSON.stringify([{ _type: 'location', lat: 45, lon: 6, tst: 1_777_788_900, tid: 'aa' }])
  return { app: 'owntracks' as const, query: '', body: Buffer.from(json.padEnd(bytes)), headers: {} }
}

function start(t: TestContext) {
  const reader = createBodyReader(new URL('../../points-worker.ts', import.meta.url))
  t.after(() => reader.close())
  const read = async (eventId: string, person: string, bytes: number) =>
    await reader.read('phone', readPhoneBatch, phoneRequest(bytes), { eventId, person })
  return { reader, read }
}

/** Counts the threads that start. */
function countThreads(t: TestContext) {
  const started = { threads: 0 }
  const hook = createHook({
    init(_id, type) {
      if (type === 'WORKER') started.threads++
    },
  }).enable()
  t.after(() => hook.disable())
  return started
}

describe('the reader of bodies', () => {
  test('reads long batches of apps in a thread, and to the same result as short ones', async (t) => {
    const { read } = start(t)
    const started = countThreads(t)

    const short = await read('event', 'a', 65_536)
    const before = started.threads
    const long = await read('event', 'a', 65_537)

    assert.deepEqual([before, started.threads], [0, 1])
    assert.equal(short.count, 1)
    assert.deepEqual(long, short)
  })

  test('reads long unusual points in a thread, and answers errors as without one', async (t) => {
    const { reader } = start(t)
    const started = countThreads(t)
    const rules = { maxPoints: 10, handling: 'strict' } as const
    const wrongOf = async (bytes: number) => {
      const body = Buffer.from('{"points":[{"latitude":91}]}'.padEnd(bytes))
      const { status, message, options } = (await rejection(
        reader.points({ body, ...rules }, { eventId: 'event', person: 'a' }),
      )) as AppError
      return { status, message, errors: options.errors }
    }

    const short = await wrongOf(0)
    const long = await wrongOf(65_537)

    assert.equal(started.threads, 1)
    assert.equal(short.status, 400)
    assert.deepEqual(long, short)
  })

  test('lets events take turns, however much one of them sends', async (t) => {
    const { read } = start(t)
    const done: string[] = []
    const sent = ['busy', 'busy', 'busy', 'other'].map(async (eventId) => {
      await read(eventId, 'a', 100_000)
      done.push(eventId)
    })

    await Promise.all(sent)

    assert.deepEqual(done, ['busy', 'other', 'busy', 'busy'])
  })

  test('refuses more of an event than its largest body, for a moment, and takes those of others', async (t) => {
    const { read } = start(t)
    const first = read('busy', 'a', 33 * MIB)

    const second = await rejection(read('busy', 'b', 33 * MIB))
    const other = await read('other', 'a', 33 * MIB)

    assert.ok(second instanceof AppError, String(second))
    assert.deepEqual([second.status, second.headers], [503, { 'retry-after': '1' }])
    assert.equal(other.count, 1)
    await first
    assert.equal((await read('busy', 'b', 33 * MIB)).count, 1)
  })
})
