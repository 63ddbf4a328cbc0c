import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type EncodedEvents, encodeEvents } from '#platform/http/streams/encode-events.ts'
import type { EventStream } from '#platform/http/streams/event-stream.ts'
import { sendParts } from './send-parts.ts'

const SHARE: Parameters<typeof sendParts>[2] = {
  async forEach(items, work) {
    for (const item of items) work(item)
  },
}
const PARTS = [1, 2, 3].map((data) => encodeEvents([{ data }]))

/** A stream whose viewer reads each part so long after it was sent. */
function makeStream(t: TestContext, readsAfterMs: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: EncodedEvents[] = []
  const closing = new AbortController()
  let isWaitedFor = Promise.withResolvers<void>()
  const stream: EventStream = {
    send: (events) => void sent.push(events as EncodedEvents),
    comment: () => {},
    drained() {
      const { promise, resolve } = Promise.withResolvers<void>()
      setTimeout(resolve, readsAfterMs)
      closing.signal.addEventListener('abort', () => resolve())
      isWaitedFor.resolve()
      return promise
    },
    end: () => closing.abort(),
    closed: closing.signal,
  }
  /** Lets time pass once the stream is waited for. */
  async function pass(ms: number): Promise<void> {
    await isWaitedFor.promise
    isWaitedFor = Promise.withResolvers()
    t.mock.timers.tick(ms)
  }
  return { stream, sent, pass }
}

describe('sendParts', () => {
  test('sends all to a viewer that goes on reading, however long that takes', async (t) => {
    const { stream, sent, pass } = makeStream(t, 50_000)

    const sending = sendParts(stream, PARTS, SHARE)
    for (const _ of PARTS) await pass(50_000)

    assert.deepEqual([await sending, sent, stream.closed.aborted], [true, PARTS, false])
  })

  test('ends the stream of a viewer that does not read a part within a minute', async (t) => {
    const { stream, sent, pass } = makeStream(t, 61_000)

    const sending = sendParts(stream, PARTS, SHARE)
    await pass(60_000)

    assert.deepEqual([await sending, sent, stream.closed.aborted], [false, PARTS.slice(0, 1), true])
  })
})
