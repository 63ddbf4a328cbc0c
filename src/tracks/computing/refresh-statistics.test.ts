import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TrackRow } from '../storage/tables.ts'
import { createRefreshStatistics } from './refresh-statistics.ts'

const rowOf = (id: string, revision: number, computedRevision: number | null) =>
  ({ id, revision, computed_revision: computedRevision }) as TrackRow

/** Collects the computed tracks; `done` resolves after `count` of them. */
function start(count: number) {
  const computed: string[] = []
  const { promise: done, resolve } = Promise.withResolvers<void>()
  let nowMs = 0
  const refresh = createRefreshStatistics(
    async ({ id }) => {
      computed.push(id)
      if (computed.length === count) resolve()
      throw new Error('A failure must not stop the others')
    },
    () => nowMs,
  )
  return { computed, done, refresh, pass: (ms: number) => (nowMs += ms) }
}

describe('createRefreshStatistics', () => {
  test('computes outdated statistics, each track once', async () => {
    const { computed, done, refresh } = start(2)

    refresh([rowOf('a', 1, null), rowOf('b', 2, 2), rowOf('c', 2, 1)])
    refresh([rowOf('c', 2, 1)])
    await done

    assert.deepEqual(computed, ['a', 'c'])
  })

  test('computes a track that changes constantly only at intervals', async () => {
    const { computed, done, refresh, pass } = start(3)

    refresh([rowOf('a', 1, null), rowOf('b', 1, null)])
    while (computed.length < 2) await new Promise(setImmediate)
    await new Promise(setImmediate)
    pass(1000)
    refresh([rowOf('a', 2, 1)])
    pass(20_000)
    refresh([rowOf('a', 3, 1)])
    await done

    assert.deepEqual(computed, ['a', 'b', 'a'])
  })
})
