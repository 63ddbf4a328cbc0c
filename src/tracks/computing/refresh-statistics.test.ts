import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TrackRow } from '../storage/tables.ts'
import { createRefreshStatistics } from './refresh-statistics.ts'

const rowOf = (id: string, revision: number, computedRevision: number | null) =>
  ({ id, revision, computed_revision: computedRevision }) as TrackRow

/** What is computed, one by one; the promise resolves when so many were. */
function start(count: number) {
  const computed: string[] = []
  const { promise: done, resolve } = Promise.withResolvers<void>()
  let nowMs = 0
  const refresh = createRefreshStatistics(
    async ({ id }) => {
      computed.push(id)
      if (computed.length === count) resolve()
      throw new Error('whose failure stops nothing')
    },
    () => nowMs,
  )
  return { computed, done, refresh, pass: (ms: number) => (nowMs += ms) }
}

describe('refreshing statistics', () => {
  test('computes those that are not of the track as it is, each once', async () => {
    const { computed, done, refresh } = start(2)

    refresh([rowOf('a', 1, null), rowOf('b', 2, 2), rowOf('c', 2, 1)])
    refresh([rowOf('c', 2, 1)])
    await done

    assert.deepEqual(computed, ['a', 'c'])
  })

  test('computes those of a track that changes all the time only now and then', async () => {
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
