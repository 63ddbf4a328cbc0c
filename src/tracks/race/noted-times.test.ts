import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunnerTimeRow } from '../model/tables.ts'
import { countingTimes, withNotedTimes } from './noted-times.ts'
import type { Standing } from './standing.ts'

const row = (source: 'manual' | 'imported', time_ms: number | null, checkpoint_id = 'finish'): RunnerTimeRow => ({
  event_id: 'e',
  id: 'i',
  user_id: 'anna',
  checkpoint_id,
  source,
  time_ms,
  noted_by: 'op',
  noted_at: 0,
  noted_order: 0,
})
const timeOf = (rows: RunnerTimeRow[]) => countingTimes(rows).get('anna')?.get('finish')

const GATES = [
  { kind: 'start' as const, courseM: 0 },
  { kind: 'checkpoint' as const, courseM: 500 },
  { kind: 'finish' as const, courseM: 1000 },
]
const passing = (gate: number, timeMs: number) => ({
  gate,
  timeMs,
  intervalSec: 2,
  awayM: null,
  source: 'crossing' as const,
  recordedMs: timeMs,
})
const RUNNING: Standing = { state: 'running', passings: [passing(0, 0)], progressM: 700, offCourseM: 90 }

describe('countingTimes', () => {
  test('prefers what an operator entered, whenever something was imported', () => {
    assert.deepEqual(timeOf([row('manual', 1), row('imported', 2)]), { source: 'manual', timeMs: 1 })
    assert.deepEqual(timeOf([row('imported', 2), row('manual', 1)]), { source: 'manual', timeMs: 1 })
  })

  test('takes the latest correction, and the imported time once the one by hand was removed', () => {
    assert.equal(timeOf([row('manual', 1), row('manual', 3)])?.timeMs, 3)
    const removed = [row('imported', 2), row('manual', 1), row('manual', null)]
    assert.deepEqual(timeOf(removed), { source: 'imported', timeMs: 2 })
    assert.equal(timeOf([...removed, row('imported', null)]), undefined)
  })
})

describe('withNotedTimes', () => {
  test('finishes a runner without a recording', () => {
    const none: Standing = { state: 'not-started', passings: [], progressM: 0, offCourseM: null }

    const standing = withNotedTimes(none, new Map([[2, { source: 'imported', timeMs: 90 }]]), GATES)

    assert.deepEqual([standing.state, standing.progressM], ['finished', 1000])
    assert.deepEqual(
      standing.passings.map(({ gate, timeMs, source, recordedMs }) => [gate, timeMs, source, recordedMs]),
      [[2, 90, 'imported', null]],
    )
  })

  test('replaces a recorded time and keeps it beside, and does not throw a runner back', () => {
    const standing = withNotedTimes(RUNNING, new Map([[0, { source: 'manual', timeMs: 5 }]]), GATES)

    assert.deepEqual([standing.passings[0].timeMs, standing.passings[0].recordedMs], [5, 0])
    assert.deepEqual([standing.state, standing.progressM, standing.offCourseM], ['running', 700, 90])
    assert.equal(withNotedTimes(RUNNING, new Map(), GATES), RUNNING)
  })
})
