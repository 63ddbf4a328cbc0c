import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EncodedEvents, ServerEvent } from '#platform/http/streams/encode-events.ts'
import type { TrackRow } from '../storage/tables.ts'
import { broadcast, type Deliver, type Viewer } from './viewer.ts'

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
