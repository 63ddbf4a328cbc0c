import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { pointTexts, similarPoints, sortedSimilarPoints } from '../../../test/support/point-set-arbitraries.ts'
import { emptyColumns, type PointColumns, sliceColumns } from '../points/point-columns.ts'
import { sortPoints } from '../points/point-order.ts'
import { concatColumns } from '../points/point-set.ts'
import { MAX_CHUNK_POINTS, planAppend, type StoredChunk, splitIntoChunks } from './chunk-plan.ts'

describe('planAppend', () => {
  test('stores the same points for any order, division and repetition of requests', () => {
    fc.assert(
      fc.property(fc.array(similarPoints, { maxLength: 8 }), (requests) => {
        const stored = requests.reduce(apply, [])

        assert.deepEqual(allTexts(stored), highestMultiplicity(requests))
      }),
    )
  })

  test('keeps the time ranges of the chunks disjoint', () => {
    fc.assert(
      fc.property(fc.array(similarPoints, { maxLength: 8 }), (requests) => {
        const stored = requests.reduce(apply, [])

        for (let i = 1; i < stored.length; i++) assert.ok(stored[i - 1].lastMs < stored[i].firstMs)
        for (const { points } of stored) assert.equal(sortPoints(points), points)
      }),
    )
  })

  test('changes nothing when points are sent again in other requests', () => {
    fc.assert(
      fc.property(fc.array(similarPoints, { minLength: 1, maxLength: 5 }), fc.nat(), (requests, cut) => {
        const stored = requests.reduce(apply, [])
        const all = concatColumns(stored.map(({ points }) => points))
        const at = cut % all.count

        for (const again of [...requests, sliceColumns(all, 0, at), sliceColumns(all, at, all.count)]) {
          assert.deepEqual(plan(stored, again), { remove: [], insert: [], addedCount: 0 })
        }
      }),
    )
  })

  test('counts the points it adds', () => {
    fc.assert(
      fc.property(sortedSimilarPoints, similarPoints, (first, second) => {
        const before = apply([], first)

        const { addedCount } = plan(before, second)

        assert.equal(addedCount, allTexts(apply(before, second)).length - first.count)
      }),
    )
  })

  test('puts points outside and between chunks into new chunks, and rewrites none', () => {
    const stored = [chunkAt(10, 20), chunkAt(40, 50)]

    const { remove, insert, addedCount } = planAppend(stored, pointsAt(1, 2, 30, 31, 60))

    assert.deepEqual(remove, [])
    assert.deepEqual(insert.map(times), [[1, 2], [30, 31], [60]])
    assert.equal(addedCount, 5)
  })

  test('rewrites only the chunk with new points within its range', () => {
    const stored = [chunkAt(10, 20), chunkAt(40, 50)]

    const { remove, insert, addedCount } = planAppend(stored, pointsAt(10, 20, 30, 45, 50))

    assert.deepEqual(remove, [40])
    assert.deepEqual(insert.map(times), [[30], [40, 45, 50]])
    assert.equal(addedCount, 2)
  })

  test('leaves a chunk somewhat over the maximum whole, and cuts no piece of less than an eighth off a larger one', () => {
    const most = (MAX_CHUNK_POINTS * 9) / 8
    const counts = (stored: number) => {
      const times = Array.from({ length: stored }, (_, i) => 2 * i)
      return planAppend([chunkAt(...times)], pointsAt(1)).insert.map(({ count }) => count)
    }

    assert.deepEqual(counts(MAX_CHUNK_POINTS), [MAX_CHUNK_POINTS + 1])
    assert.deepEqual(counts(most - 1), [most])
    assert.deepEqual(counts(most), [MAX_CHUNK_POINTS, MAX_CHUNK_POINTS / 8 + 1])
    assert.deepEqual(counts(2 * MAX_CHUNK_POINTS), [MAX_CHUNK_POINTS, MAX_CHUNK_POINTS + 1])
  })
})

describe('splitIntoChunks', () => {
  test('keeps all points in order, those of one time together, and the chunks as small as that allows', () => {
    fc.assert(
      fc.property(sortedSimilarPoints, fc.integer({ min: 1, max: 5 }), (points, target) => {
        const chunks = splitIntoChunks(points, target)

        assert.deepEqual(concatColumns(chunks), points)
        for (let i = 1; i < chunks.length; i++) assert.ok(times(chunks[i - 1]).at(-1)! < times(chunks[i])[0])
        for (const chunk of chunks) assert.ok(chunk.count <= target || new Set(times(chunk)).size === 1)
      }),
    )
  })

  test('makes full chunks when all times differ', () => {
    const chunks = splitIntoChunks(pointsAt(1, 2, 3, 4, 5), 2)

    assert.deepEqual(chunks.map(times), [[1, 2], [3, 4], [5]])
  })

  test('returns no chunks for no points', () => {
    assert.deepEqual(splitIntoChunks(emptyColumns(0), 2), [])
  })
})

function pointsAt(...timesMs: number[]): PointColumns {
  const points = emptyColumns(timesMs.length)
  points.timeMs.set(timesMs)
  return points
}

function chunkAt(...timesMs: number[]): StoredChunk {
  return chunkOf(pointsAt(...timesMs))
}

function chunkOf(points: PointColumns): StoredChunk {
  return { firstMs: points.timeMs[0], lastMs: points.timeMs[points.count - 1], points }
}

function times({ timeMs }: PointColumns): number[] {
  return [...timeMs]
}

function allTexts(stored: readonly StoredChunk[]): string[] {
  return stored.flatMap(({ points }) => pointTexts(points)).sort()
}

/** Plans like a store that loads only the chunks that a request touches. */
function plan(stored: readonly StoredChunk[], request: PointColumns) {
  const sent = sortPoints(request)
  const [firstMs, lastMs] = [sent.timeMs[0], sent.timeMs[sent.count - 1]]
  return planAppend(
    stored.filter((chunk) => chunk.firstMs <= lastMs && chunk.lastMs >= firstMs),
    sent,
  )
}

function apply(stored: readonly StoredChunk[], request: PointColumns): StoredChunk[] {
  const { remove, insert } = plan(stored, request)
  const kept = stored.filter(({ firstMs }) => !remove.includes(firstMs))
  return [...kept, ...insert.map(chunkOf)].sort((a, b) => a.firstMs - b.firstMs)
}

/** The plain model: each point as often as the request that had it most often. */
function highestMultiplicity(requests: readonly PointColumns[]): string[] {
  const highest = new Map<string, number>()
  for (const request of requests) {
    const texts = pointTexts(request)
    for (const text of texts) {
      const copies = texts.filter((other) => other === text).length
      highest.set(text, Math.max(copies, highest.get(text) ?? 0))
    }
  }
  return [...highest].flatMap(([text, copies]) => new Array<string>(copies).fill(text)).sort()
}
