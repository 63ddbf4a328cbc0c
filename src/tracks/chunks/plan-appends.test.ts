import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { pointTexts, sortedSimilarPoints } from '../../../test/support/point-set-arbitraries.ts'
import { emptyColumns, type PointColumns } from '../points/point-columns.ts'
import { concatColumns } from '../points/point-set.ts'
import { decodeChunk, encodeChunk } from './chunk-codec.ts'
import { MAX_CHUNK_POINTS, MAX_POINTS_OF_ONE_TIME } from './chunk-plan.ts'
import { type EncodedChunk, mergeChunks } from './merge-chunks.ts'
import { planAppends, type StoredBytes } from './plan-appends.ts'

describe('planAppends', () => {
  test('adds batches together as it adds them one after the other', () => {
    fc.assert(
      fc.property(fc.array(sortedSimilarPoints, { minLength: 1, maxLength: 6 }), fc.nat(5), (batches, cut) => {
        const oneByOne = batches.reduce<EncodedChunk[]>((stored, batch) => apply(stored, [batch]), [])
        const before = batches.slice(0, cut).reduce<EncodedChunk[]>((stored, batch) => apply(stored, [batch]), [])

        const together = apply(before, batches.slice(cut))

        assert.deepEqual(texts(together), texts(oneByOne))
        for (let i = 1; i < together.length; i++) assert.ok(together[i - 1].lastMs < together[i].firstMs)
      }),
    )
  })

  test('plans each batch on the chunks of those before it, in the order of time', () => {
    const batches = [pointsAt(50, 60), pointsAt(10, 20), pointsAt(15, 30, 55)]

    const { inserted, addedCounts } = planAppends({ stored: [], batches })

    assert.deepEqual(
      inserted.map(({ firstMs, lastMs, count }) => [firstMs, lastMs, count]),
      [
        [10, 20, 3],
        [30, 30, 1],
        [50, 60, 3],
      ],
    )
    assert.deepEqual(addedCounts, [2, 2, 3])
  })

  test('needs no bytes of a chunk between the points of a batch', () => {
    const stored = [storedAt(10, 20), { firstMs: 30, lastMs: 40, bytes: undefined }, storedAt(50, 60)]

    const { removed, inserted, addedCounts } = planAppends({ stored, batches: [pointsAt(15, 25, 45, 55)] })

    assert.deepEqual(removed, [10, 50])
    assert.deepEqual(
      inserted.map(({ firstMs, lastMs }) => [firstMs, lastMs]),
      [
        [10, 20],
        [25, 25],
        [45, 45],
        [50, 60],
      ],
    )
    assert.deepEqual(addedCounts, [4])
  })

  test('cuts no piece off a full chunk that gets a late point', () => {
    const stored = [storedAt(...Array.from({ length: MAX_CHUNK_POINTS }, (_, i) => 2 * i))]

    const { inserted } = planAppends({ stored, batches: [pointsAt(1), pointsAt(3)] })

    assert.deepEqual(
      inserted.map(({ count }) => count),
      [MAX_CHUNK_POINTS + 2],
    )
    assert.deepEqual(
      mergeChunks(inserted.map(({ bytes }) => bytes)).map(({ count }) => count),
      [MAX_CHUNK_POINTS + 2],
    )
  })

  test('adds none of a batch with too many points of one time, and all of the others', () => {
    const full = pointsAt(...new Array<number>(MAX_POINTS_OF_ONE_TIME).fill(7))
    const stored = [{ firstMs: 7, lastMs: 7, bytes: encodeChunk(full, 'fast') }]
    const different = pointsAt(6, 7)
    different.altitude.fill(1)

    const { removed, addedCounts } = planAppends({ stored, batches: [different, pointsAt(7), pointsAt(8)] })

    assert.deepEqual(removed, [])
    assert.deepEqual(addedCounts, [undefined, 0, 1])
  })
})

function apply(stored: readonly EncodedChunk[], batches: readonly PointColumns[]): EncodedChunk[] {
  const { removed, inserted } = planAppends({ stored, batches })
  const kept = stored.filter(({ firstMs }) => !removed.includes(firstMs))
  return [...kept, ...inserted].sort((a, b) => a.firstMs - b.firstMs)
}

function texts(chunks: readonly EncodedChunk[]): string[] {
  return pointTexts(concatColumns(chunks.map(({ bytes }) => decodeChunk(bytes))))
}

function pointsAt(...timesMs: number[]): PointColumns {
  const points = emptyColumns(timesMs.length)
  points.timeMs.set(timesMs)
  return points
}

function storedAt(...timesMs: number[]): StoredBytes {
  const bytes = encodeChunk(pointsAt(...timesMs), 'fast')
  return { firstMs: timesMs[0], lastMs: timesMs[timesMs.length - 1], bytes }
}
