import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLiveStream } from './live-stream.ts'

/** A stream of the browser, as far as it is used here. */
class FakeEventSource extends EventTarget {
  static current: FakeEventSource
  onopen?: () => void
  constructor() {
    super()
    FakeEventSource.current = this
  }
  close() {}
}

test('a live stream says before the events of each connection that it was opened', (t) => {
  const { EventSource } = globalThis
  t.after(() => Object.assign(globalThis, { EventSource }))
  Object.assign(globalThis, { EventSource: FakeEventSource })
  const names: string[] = []
  const stream = openLiveStream('/live', { onEvent: ({ name }) => names.push(name), onState: () => {} })

  for (let connection = 0; connection < 2; connection++) {
    FakeEventSource.current.onopen?.()
    FakeEventSource.current.dispatchEvent(new MessageEvent('track', { data: '{}' }))
  }
  stream.close()

  assert.deepEqual(names, ['opened', 'track', 'opened', 'track'])
})
