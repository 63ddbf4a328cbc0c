import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assignToRecordings } from './phone-recorder.ts'

const SILENCE = 30

/** Writes parts as `name: times`, with `new` for a recording that begins. */
function assign(times: number[], known: Record<string, [firstMs: number, lastMs: number]> = {}) {
  const recordings = Object.entries(known).map(([name, [firstMs, lastMs]]) => ({ name, firstMs, lastMs }))
  return assignToRecordings(times, recordings, SILENCE).map(
    ({ recording, from, to }) => `${recording?.name ?? 'new'}: ${times.slice(from, to).join(' ')}`,
  )
}

describe('assignToRecordings', () => {
  test('begins a recording with the first point, and another after a silence', () => {
    assert.deepEqual(assign([0, 30, 60, 91, 100]), ['new: 0 30 60', 'new: 91 100'])
    assert.deepEqual(assign([]), [])
  })

  test('continues a recording up to the silence after its last point', () => {
    assert.deepEqual(assign([130], { a: [0, 100] }), ['a: 130'])
    assert.deepEqual(assign([131], { a: [0, 100] }), ['new: 131'])
    assert.deepEqual(assign([120, 140, 160, 200], { a: [0, 100] }), ['a: 120 140 160', 'new: 200'])
  })

  test('puts late points into the recording around them, or shortly before it', () => {
    assert.deepEqual(assign([50, 250], { a: [0, 100], b: [200, 300] }), ['a: 50', 'b: 250'])
    assert.deepEqual(assign([170], { a: [0, 100], b: [200, 300] }), ['b: 170'])
    assert.deepEqual(assign([169], { a: [0, 100], b: [200, 300] }), ['new: 169'])
  })

  test('takes points that lead to a recording with those that reach it', () => {
    assert.deepEqual(assign([140, 160, 180], { a: [0, 100], b: [200, 300] }), ['b: 140 160 180'])
  })

  test('divides points between two recordings at the nearer one', () => {
    assert.deepEqual(assign([115, 125, 140], { a: [0, 100], b: [150, 300] }), ['a: 115 125', 'b: 140'])
  })

  test('assigns every point once, in order, and the same way again once they are recorded', () => {
    const times = fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 60 })
    fc.assert(
      fc.property(fc.array(times, { maxLength: 6 }), (requests) => {
        const recordings: { firstMs: number; lastMs: number }[] = []
        for (const request of requests) {
          const sorted = [...request].sort((a, b) => a - b)
          const parts = assignToRecordings(sorted, recordings, SILENCE)
          let next = 0
          for (const { recording, from, to } of parts) {
            assert.equal(from, next)
            assert.ok(to > from)
            next = to
            const [firstMs, lastMs] = [sorted[from], sorted[to - 1]]
            if (recording === undefined) recordings.push({ firstMs, lastMs })
            else {
              recording.firstMs = Math.min(recording.firstMs, firstMs)
              recording.lastMs = Math.max(recording.lastMs, lastMs)
            }
          }
          assert.equal(next, sorted.length)
          assert.ok(assignToRecordings(sorted, recordings, SILENCE).every(({ recording }) => recording !== undefined))
        }
      }),
    )
  })
})
