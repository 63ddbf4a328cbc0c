import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { LeasedQueue } from './leased-queue.ts'

/** A queue on a list of names, of which it works on two at once; work ends when the test says so. */
class Names extends LeasedQueue<string> {
  readonly waiting: string[]
  readonly begun: string[] = []
  readonly ends = new Map<string, () => void>()
  failure: Error | undefined
  extended = 0
  stopped = 0
  /** Holds up the end of a search, after it has looked at the list. */
  searchEnd: Promise<void> | undefined

  constructor(waiting: string[]) {
    const logger = pino({ level: 'silent' })
    super({ noun: 'names', searchEveryMs: 1_000, extendEveryMs: 400, closeWithinMs: 2_000, logger })
    this.waiting = waiting
  }

  protected async search(): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    while (this.ends.size < 2 && this.waiting.length > 0 && !this.isClosed) this.take(this.waiting.shift()!)
    await this.searchEnd
  }

  protected async run(name: string): Promise<void> {
    this.begun.push(name)
    await new Promise<void>((resolve) => this.ends.set(name, resolve))
  }

  protected override async extendLeases(): Promise<void> {
    this.extended++
    if (this.failure !== undefined) throw this.failure
  }

  protected override stopWork(): void {
    this.stopped++
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)!()
    this.ends.delete(name)
    await turns()
  }
}

async function turns(): Promise<void> {
  for (let at = 0; at < 5; at++) await turn()
}

async function startQueue(t: TestContext, waiting: string[]) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const queue = new Names(waiting)
  queue.start()
  await turns()
  return queue
}

describe('LeasedQueue', () => {
  test('searches again when work ends, and makes room', async (t) => {
    const queue = await startQueue(t, ['a', 'b', 'c'])
    const before = [...queue.begun]

    await queue.end('a')

    assert.deepEqual(
      [before, queue.begun],
      [
        ['a', 'b'],
        ['a', 'b', 'c'],
      ],
    )
  })

  test('searches at an interval, also after a search that failed', async (t) => {
    const queue = await startQueue(t, [])
    queue.waiting.push('a')
    queue.failure = new Error('no database')
    t.mock.timers.tick(1_000)
    await turns()
    assert.deepEqual(queue.begun, [])

    queue.failure = undefined
    t.mock.timers.tick(1_000)
    await turns()

    assert.deepEqual(queue.begun, ['a'])
  })

  test('searches a moment after it was woken, whatever else wakes it meanwhile', async (t) => {
    const queue = await startQueue(t, [])
    queue.wakeIn(50)
    queue.wake()
    await turns()
    queue.waiting.push('a')

    t.mock.timers.tick(50)
    await turns()

    assert.deepEqual(queue.begun, ['a'])
  })

  test('searches once more if it was woken during a search', async (t) => {
    const queue = await startQueue(t, [])
    const { promise, resolve } = Promise.withResolvers<void>()
    queue.searchEnd = promise
    queue.wake()
    await turns()
    queue.waiting.push('a')
    queue.wake()
    await turns()
    assert.deepEqual(queue.begun, [])

    resolve()
    await turns()

    assert.deepEqual(queue.begun, ['a'])
  })

  test('begins nothing more once it is closed, and waits for work in progress until the deadline', async (t) => {
    const queue = await startQueue(t, ['a', 'b', 'c'])
    let isClosed = false
    const closing = queue.close().then(() => (isClosed = true))

    await queue.end('a')
    const before = isClosed
    t.mock.timers.tick(2_000)
    await closing

    assert.deepEqual([before, queue.begun], [false, ['a', 'b']])
  })

  test('extends its leases at an interval, also after a failure, until it closes and stops its work', async (t) => {
    const queue = await startQueue(t, ['a'])
    queue.failure = new Error('The database is gone')
    t.mock.timers.tick(400)
    await turns()
    t.mock.timers.tick(400)
    assert.deepEqual([queue.extended, queue.stopped], [2, 0])

    const closed = queue.close()
    assert.equal(queue.stopped, 1)
    await queue.end('a')
    await closed
    t.mock.timers.tick(1_000)

    assert.equal(queue.extended, 2)
  })
})
