import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  changeState,
  decodePauses,
  encodePauses,
  isTrimmed,
  pausedMsBetween,
  type StateWithPauses,
  shownPartOf,
  type TrackState,
  WHOLE_TRACK,
} from './track-state.ts'

const OPEN = Number.POSITIVE_INFINITY
const running: StateWithPauses = { state: 'running', pauses: [] }

function change(...changes: [TrackState, number][]): StateWithPauses {
  return changes.reduce<StateWithPauses>((current, [next, nowMs]) => changeState(current, next, nowMs), running)
}

describe('changeState', () => {
  test('opens a pause on the change to paused, and ends it on the next other state', () => {
    assert.deepEqual(change(['paused', 100]), { state: 'paused', pauses: [{ fromMs: 100, toMs: OPEN }] })
    assert.deepEqual(change(['paused', 100], ['running', 250]).pauses, [{ fromMs: 100, toMs: 250 }])
    assert.deepEqual(change(['paused', 100], ['stopped', 250]).pauses, [{ fromMs: 100, toMs: 250 }])
  })

  test('changes nothing when a paused track is paused again', () => {
    assert.deepEqual(change(['paused', 100], ['paused', 200], ['running', 300]).pauses, [{ fromMs: 100, toMs: 300 }])
  })

  test('adds no pause between running and stopped', () => {
    assert.deepEqual(change(['stopped', 100], ['running', 200]), running)
  })

  test('drops a pause without length, even when the clock was set back during it', () => {
    assert.deepEqual(change(['paused', 100], ['running', 100]).pauses, [])
    assert.deepEqual(change(['paused', 100], ['running', 50]).pauses, [])
  })

  test('keeps pauses in order and apart, whatever the changes and their times', () => {
    const changes = fc.array(fc.tuple(fc.constantFrom<TrackState>('running', 'paused', 'stopped'), fc.nat(1000)))

    fc.assert(
      fc.property(changes, (list) => {
        const { state, pauses } = change(...list)

        assert.equal(state, list.at(-1)?.[0] ?? 'running')
        assert.equal(pauses.at(-1)?.toMs === OPEN, state === 'paused')
        pauses.forEach((pause, i) => {
          assert.ok(pause.fromMs < pause.toMs && pause.fromMs >= (pauses[i - 1]?.toMs ?? 0))
        })
      }),
    )
  })
})

describe('pausedMsBetween', () => {
  const pauses = [
    { fromMs: 100, toMs: 200 },
    { fromMs: 300, toMs: OPEN },
  ]

  test('count an open pause until the given time', () => {
    assert.equal(pausedMsBetween(pauses, 0, 350), 150)
    assert.equal(pausedMsBetween(pauses, 0, 150), 50)
    assert.equal(pausedMsBetween([], 0, 350), 0)
  })

  test('count the part within the given time', () => {
    assert.equal(pausedMsBetween(pauses, 150, 310), 60)
    assert.equal(pausedMsBetween(pauses, 200, 300), 0)
  })
})

describe('encodePauses and decodePauses', () => {
  test('return the same pauses, as compact JSON', () => {
    const { pauses } = change(['paused', 100], ['running', 200], ['paused', 300])

    assert.equal(encodePauses(pauses), '[[100,200],[300,null]]')
    assert.deepEqual(decodePauses(encodePauses(pauses)), pauses)
  })

  test('read an empty text and an empty list as no pauses', () => {
    assert.deepEqual(decodePauses(''), [])
    assert.deepEqual(decodePauses(encodePauses([])), [])
  })
})

describe('the shown part of a track', () => {
  test('is all of it unless an end is trimmed', () => {
    assert.deepEqual(shownPartOf({ shown_from_ms: null, shown_until_ms: null }), WHOLE_TRACK)
    assert.equal(isTrimmed(WHOLE_TRACK), false)
    assert.equal(isTrimmed(shownPartOf({ shown_from_ms: 0, shown_until_ms: null })), true)
  })
})
