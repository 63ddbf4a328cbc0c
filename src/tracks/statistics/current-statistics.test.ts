import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TrackRow } from '../model/tables.ts'
import { type CurrentStatistics, createFiguresCheck, createRefreshStatistics, methodOf } from './current-statistics.ts'

const rowOf = (id: string, revision: number, computedRevision: number | null, maxAccuracyMeters = 50) =>
  ({
    id,
    revision,
    computed_revision: computedRevision,
    computed_method: methodOf(maxAccuracyMeters),
    computed_stats: '{}',
  }) as TrackRow

/** Collects the computed tracks; `done` resolves after `count` of them. */
function start(count: number) {
  const computed: string[] = []
  const { promise: done, resolve } = Promise.withResolvers<void>()
  let nowMs = 0
  const currentStatistics: CurrentStatistics = async ({ id }) => {
    computed.push(id)
    if (computed.length === count) resolve()
    throw new Error('A failure must not stop the others')
  }
  const refresh = createRefreshStatistics(currentStatistics, createFiguresCheck(50), () => nowMs)
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

  test('computes what was computed with another limit of the accuracy', async () => {
    const { computed, done, refresh } = start(1)

    refresh([rowOf('same', 1, 1), rowOf('other', 1, 1, 0)])
    await done

    assert.deepEqual(computed, ['other'])
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
