import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { kindOfThread, NO_TIME, parseSchedstat, parseTotalTicks, timeBetween } from './processor-time.ts'

describe('processor time', () => {
  test('is the first number of a schedstat', () => {
    assert.equal(parseSchedstat('1741375418 2508053748 4296\n'), 1_741_375_418)
    assert.throws(() => parseSchedstat(''), /Not a schedstat/)
  })

  test('of a process follows its name, which may contain anything', () => {
    const text = '42 (a) b (c) S 1 42 42 0 -1 4194560 100 0 0 0 73 21 0 0 20 0 1 0 1000 0 0'

    assert.equal(parseTotalTicks(text), 94)
  })

  test('is told by the names of threads', () => {
    assert.equal(kindOfThread('SQLite writer'), 'SQLite writer')
    assert.equal(kindOfThread('libuv-worker'), 'libuv')
    assert.equal(kindOfThread('node-V8Worker'), 'V8')
    assert.equal(kindOfThread('SignalInspector'), 'other')
  })

  test('between two readings counts new threads in full, and ended ones from the total', () => {
    const before = reading({ '1': ['main', 10], '2': ['computing', 30] }, 40)
    const after = reading({ '1': ['main', 60], '3': ['computing', 20] }, 240)

    const spent = timeBetween(before, after)

    assert.deepEqual(Object.fromEntries(spent.byKind), { main: 50_000, computing: 20_000, ended: 130_000 })
    assert.equal(spent.totalUs, 200_000)
    assert.equal(timeBetween(NO_TIME, before).us('main'), 10_000)
  })
})

function reading(threads: Record<string, [kind: string, ms: number]>, totalMs: number) {
  const byThread = new Map(Object.entries(threads).map(([tid, [kind, ms]]) => [tid, { kind, ns: ms * 1e6 }]))
  return { byThread, totalNs: totalMs * 1e6 }
}
