import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serverSentEvents } from './server-sent-events.ts'

const TEXT =
  'retry: 2000\n\n: \n\nevent: track\nid: 7\ndata: {"a":1}\n\ndata:one\r\ndata: two\r\n\r\nid: 8\n\nevent: ready\ndata: {}\n\n'
const EVENTS = [
  { event: 'track', data: '{"a":1}', id: '7' },
  { event: 'message', data: 'one\ntwo', id: '7' },
  { event: 'ready', data: '{}', id: '8' },
]

describe('serverSentEvents', () => {
  test('returns each event once it is complete', () => {
    assert.deepEqual(serverSentEvents()(TEXT), EVENTS)
    assert.deepEqual(serverSentEvents()(TEXT.slice(0, -1)), EVENTS.slice(0, 2))
  })

  test('reads the same wherever the text is cut', () => {
    for (let at = 0; at <= TEXT.length; at++) {
      const parse = serverSentEvents()

      const events = [...parse(TEXT.slice(0, at)), ...parse(TEXT.slice(at))]

      assert.deepEqual(events, EVENTS, `cut at ${at}`)
    }
  })
})
