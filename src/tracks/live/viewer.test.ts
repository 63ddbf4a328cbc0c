import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type EncodedEvents, type EventStream, encodeEvents, type ServerEvent } from '#platform/http/event-stream.ts'
import type { TrackRow } from '../model/tables.ts'
import { broadcast, type Deliver, sendParts, type Viewer } from './viewer.ts'

const showAll = ({ id }: TrackRow) => ({ id, seen: 'all' })
const showId = ({ id }: TrackRow) => ({ id })

function makeViewer(show: Viewer['show'], trackId?: string) {
  const sent: (ServerEvent | EncodedEvents)[] = []
  const send = (events: ServerEvent | EncodedEvents) => void sent.push(events)
  const stream = { send } as Viewer['stream']
  const text = () => sent.map((events) => ('bytes' in events ? events.bytes.toString() : '')).join('')
  return { viewer: { stream, sinceMs: undefined, trackId, show }, sent, text }
}

const deliver: Deliver = async (viewers, events) => {
  for (const { stream } of viewers) stream.send(events)
}

describe('broadcast', () => {
  const track = (id: string) => ({ event: 'track' as const, row: { id } as TrackRow, batteryPercent: null })

  test('sends viewers with the same view the same bytes', async () => {
    const viewers = [makeViewer(showAll), makeViewer(showAll), makeViewer(showId)]

    await broadcast(
      viewers.map(({ viewer }) => viewer),
      [track('a'), track('b')],
      7,
      deliver,
    )

    const [first, second, third] = viewers
    assert.equal(first.sent[0], second.sent[0])
    const events =
      'event: track\ndata: {"id":"a","seen":"all"}\n\nid: 7\nevent: track\ndata: {"id":"b","seen":"all"}\n\n'
    assert.equal(first.text(), events)
    assert.equal(third.text(), events.replaceAll(',"seen":"all"', ''))
  })

  test('sends viewers of one track only its messages, the last with the Last-Event-ID', async () => {
    const [one, another] = [makeViewer(showId, 'a'), makeViewer(showId, 'c')]

    await broadcast([one.viewer, another.viewer], [track('a'), track('b')], 7, deliver)

    assert.equal(one.text(), 'id: 7\nevent: track\ndata: {"id":"a"}\n\n')
    assert.deepEqual(another.sent, [])
  })
})

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
    onClose: (leave) => closing.signal.addEventListener('abort', leave),
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
