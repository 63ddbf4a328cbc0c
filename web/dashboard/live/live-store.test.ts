import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { createLiveStore, type LiveEvent, type LiveListener, openLiveStream } from './live-store.ts'

const trackEvent = (id: string): LiveEvent => ({ name: 'track', json: JSON.stringify({ id, title: id }) })

/** A store on a stream whose events and frames the test controls. */
function createStore() {
  const streams: { listener: LiveListener; isOpen: boolean }[] = []
  let frame: (() => void) | undefined
  const store = createLiveStore<SharedTrack>('/live', {
    openStream: (_address, listener) => {
      const stream = { listener, isOpen: true }
      streams.push(stream)
      return {
        close: () => {
          stream.isOpen = false
        },
      }
    },
    schedule: (callback) => {
      frame = callback
    },
  })
  /** Runs frames until none is asked for: a slow machine may need several for the events that wait. */
  function nextFrame(): void {
    while (frame !== undefined) {
      const draw = frame
      frame = undefined
      draw()
    }
  }
  return { store, streams, nextFrame }
}

describe('the store of live tracks', () => {
  test('opens its stream with the first subscriber and closes it with the last', () => {
    const { store, streams } = createStore()

    const [leaveFirst, leaveSecond] = [store.subscribe(() => {}), store.subscribe(() => {})]
    leaveFirst()
    assert.deepEqual([streams.length, streams[0].isOpen], [1, true])
    leaveSecond()

    assert.equal(streams[0].isOpen, false)
  })

  test('returns the same snapshot until something changes, and then another', (t) => {
    const { store, streams, nextFrame } = createStore()
    t.after(store.subscribe(() => {}))
    const before = store.getSnapshot()

    streams[0].listener.onEvent(trackEvent('a'))
    assert.equal(store.getSnapshot(), before)
    nextFrame()

    assert.notEqual(store.getSnapshot(), before)
    assert.equal(store.getSnapshot().version, before.version + 1)
    assert.deepEqual([...store.getSnapshot().tracks.byId.keys()], ['a'])
  })

  test('is live once every event before `ready` has been applied', (t) => {
    const { store, streams, nextFrame } = createStore()
    const states: string[] = []
    t.after(store.subscribe(() => states.push(store.getSnapshot().state)))

    for (const event of [
      trackEvent('a'),
      { name: 'ready', json: '{"as_of":"2026-05-03T06:00:00Z","lag_ms":0}' } as const,
    ])
      streams[0].listener.onEvent(event)
    assert.equal(store.getSnapshot().state, 'opening')
    nextFrame()

    assert.equal(states.at(-1), 'live')
    assert.equal(store.getSnapshot().tracks.byId.size, 1)
  })

  test('drops what a whole snapshot no longer has, and nothing when only changes come', (t) => {
    const { store, streams, nextFrame } = createStore()
    t.after(store.subscribe(() => {}))
    const { onEvent } = streams[0].listener
    /** @returns the tracks once the stream has opened again with these and is ready */
    function tracksAfter(delivered: readonly string[], ready: object): string[] {
      onEvent({ name: 'opened', json: '' })
      for (const id of delivered) onEvent(trackEvent(id))
      onEvent({ name: 'ready', json: JSON.stringify({ as_of: '2026-05-03T06:00:00Z', lag_ms: 0, ...ready }) })
      nextFrame()
      return [...store.getSnapshot().tracks.byId.keys()]
    }

    const first = tracksAfter(['a', 'b'], { tracks_left_out: 0 })
    onEvent(trackEvent('c'))
    const changes = tracksAfter(['b'], {})
    store.getSnapshot().tracks.changed.clear()
    const whole = tracksAfter(['a', 'c'], { tracks_left_out: 0 })

    assert.deepEqual(
      [first, changes, whole],
      [
        ['a', 'b'],
        ['a', 'b', 'c'],
        ['a', 'c'],
      ],
    )
    assert.ok(store.getSnapshot().tracks.changed.has('b'), 'its line is taken from the map')
  })

  test('keeps its tracks for a subscriber that comes back', () => {
    const { store, streams, nextFrame } = createStore()
    const leave = store.subscribe(() => {})
    streams[0].listener.onEvent(trackEvent('a'))
    nextFrame()
    leave()

    const leaveAgain = store.subscribe(() => {})
    leaveAgain()

    assert.equal(streams.length, 2)
    assert.deepEqual([...store.getSnapshot().tracks.byId.keys()], ['a'])
  })
})

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
