import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EncodedEvents, ServerEvent } from '#platform/http/streams/encode-events.ts'
import type { TrackRow } from '../storage/tables.ts'
import { tell, type Viewer } from './viewer.ts'

const openly = ({ id }: TrackRow) => ({ id, seen: 'all' })
const partly = ({ id }: TrackRow) => ({ id })

function makeViewer(show: Viewer['show'], trackId?: string) {
  const sent: (ServerEvent | EncodedEvents)[] = []
  const send = (events: ServerEvent | EncodedEvents) => void sent.push(events)
  const stream = { send } as Viewer['stream']
  const text = () => sent.map((events) => ('bytes' in events ? events.bytes.toString() : '')).join('')
  return { viewer: { stream, sinceMs: undefined, trackId, show }, sent, text }
}

describe('viewers', () => {
  const track = (id: string) => ({ event: 'track' as const, row: { id } as TrackRow })

  test('who see the same are sent the same bytes', () => {
    const viewers = [makeViewer(openly), makeViewer(openly), makeViewer(partly)]

    tell(
      viewers.map(({ viewer }) => viewer),
      [track('a'), track('b')],
      7,
    )

    const [first, second, third] = viewers
    assert.equal(first.sent[0], second.sent[0])
    const events =
      'event: track\ndata: {"id":"a","seen":"all"}\n\nid: 7\nevent: track\ndata: {"id":"b","seen":"all"}\n\n'
    assert.equal(first.text(), events)
    assert.equal(third.text(), events.replaceAll(',"seen":"all"', ''))
  })

  test('of one track are told of it alone, the last time with the place in the stream', () => {
    const [one, another] = [makeViewer(partly, 'a'), makeViewer(partly, 'c')]

    tell([one.viewer, another.viewer], [track('a'), track('b')], 7)

    assert.equal(one.text(), 'id: 7\nevent: track\ndata: {"id":"a"}\n\n')
    assert.deepEqual(another.sent, [])
  })
})
