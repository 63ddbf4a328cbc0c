import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { QueueFullError, WorkQueue, type WorkQueueLimits } from './work-queue.ts'

const LIMITS: WorkQueueLimits = { running: 1, waiting: 4, waitingPerCaller: 3 }
const NEVER = new AbortController().signal

/** A queue whose works end when `finish` is called with their key, and the keys in the order of their start. */
function startQueue(limits: Partial<WorkQueueLimits> = {}) {
  const queue = new WorkQueue<string>({ ...LIMITS, ...limits })
  const started: string[] = []
  const aborted: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (key: string, caller = 'a', signal: AbortSignal = NEVER) => {
    const asked = queue.do(key, { caller, signal }, (abort) => {
      started.push(key)
      abort.addEventListener('abort', () => aborted.push(key))
      return new Promise((resolve) => ends.set(key, () => resolve(`result of ${key}`)))
    })
    asked.catch(() => {})
    return asked
  }
  const finish = async (key: string) => {
    ends.get(key)!()
    await nextTurn()
  }
  return { queue, started, aborted, ask, finish }
}

describe('WorkQueue', () => {
  test('does work once for all who wait for it, running or waiting', async () => {
    const { started, ask, finish } = startQueue()
    const first = [ask('x'), ask('x', 'b')]
    const second = [ask('y'), ask('y', 'b')]

    await finish('x')
    await finish('y')

    assert.deepEqual(await Promise.all(first), ['result of x', 'result of x'])
    assert.deepEqual(await Promise.all(second), ['result of y', 'result of y'])
    assert.deepEqual(started, ['x', 'y'])
  })

  test('serves callers in turns', async () => {
    const { started, ask, finish } = startQueue()
    for (const key of ['a1', 'a2', 'a3']) void ask(key)
    void ask('b1', 'b')

    for (const key of ['a1', 'a2', 'b1']) await finish(key)

    assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3'])
  })

  test('refuses a caller with too much waiting work, and nobody else', async () => {
    const { ask } = startQueue()
    for (const key of ['a1', 'a2', 'a3', 'a4']) void ask(key)

    await assert.rejects(ask('a5'), (error: QueueFullError) => {
      assert.deepEqual([error.status, error.headers], [503, { 'retry-after': '2' }])
      return error instanceof QueueFullError
    })

    const other = ask('b1', 'b')
    assert.equal(await Promise.race([other, nextTurn('waits')]), 'waits')
  })

  test('takes the newest work of the caller with the most, when it is full', async () => {
    const { queue, ask, started, finish } = startQueue()
    void ask('a1')
    const [, , newest] = [ask('a2'), ask('a3'), ask('a4')]
    void ask('b1', 'b')

    void ask('c1', 'c')
    void ask('d1', 'd')
    const late = ask('e1', 'e')

    await assert.rejects(newest, QueueFullError)
    await assert.rejects(late, QueueFullError)
    assert.equal(queue.waiting, 4)
    for (const key of ['a1', 'a2', 'b1', 'c1']) await finish(key)
    assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1', 'd1'])
  })

  test('drops waiting work, and aborts running work, when the last client leaves', async () => {
    const { queue, started, aborted, ask, finish } = startQueue()
    const [one, other] = [new AbortController(), new AbortController()]
    const running = ask('x', 'a', one.signal)
    const shared = [ask('y', 'a', one.signal), ask('y', 'a', other.signal)]
    const waiting = ask('z', 'a', one.signal)

    one.abort(new Error('left'))
    for (const asked of [running, shared[0], waiting]) await assert.rejects(asked, /left/)

    assert.deepEqual([aborted, queue.waiting], [['x'], 1])
    await finish('x')
    await finish('y')
    assert.equal(await shared[1], 'result of y')
    assert.deepEqual(started, ['x', 'y'])
  })

  test('does work again that was aborted', async () => {
    const { started, ask } = startQueue({ running: 2 })
    const leaving = new AbortController()
    void ask('x', 'a', leaving.signal)
    leaving.abort()
    await nextTurn()

    void ask('x')

    assert.deepEqual(started, ['x', 'x'])
  })

  test('goes on after work that fails', async () => {
    const queue = new WorkQueue<string>(LIMITS)
    const failing = queue.do('x', { caller: 'a', signal: NEVER }, () => Promise.reject(new Error('no')))
    const next = queue.do('y', { caller: 'a', signal: NEVER }, async () => 'yes')

    await assert.rejects(failing, /no/)
    assert.equal(await next, 'yes')
  })

  test('refuses, drops and aborts everything when it is closed', async () => {
    const { queue, aborted, ask, finish } = startQueue()
    void ask('x')
    const waiting = ask('y')

    const closing = queue.close()
    await assert.rejects(waiting, QueueFullError)
    await assert.rejects(ask('z'), QueueFullError)
    assert.deepEqual(aborted, ['x'])
    await finish('x')
    await closing
  })
})
