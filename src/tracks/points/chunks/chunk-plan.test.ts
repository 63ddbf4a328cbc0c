import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { pointTexts, similarPoints, sortedSimilarPoints } from '../../../../test/support/point-set-arbitraries.ts'
import { concatColumns, emptyColumns, type PointColumns, sliceColumns, sortPoints } from '../point-columns.ts'
import {
  decodeChunk,
  type EncodedChunk,
  encodeChunk,
  MAX_CHUNK_POINTS,
  mergeChunks,
  splitIntoChunks,
} from './chunk-codec.ts'
import { MAX_POINTS_OF_ONE_TIME, planAppend, planAppends, type StoredBytes, type StoredChunk } from './chunk-plan.ts'

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

describe('planAppends', () => {
  test('adds batches together as it adds them one after the other', () => {
    fc.assert(
      fc.property(fc.array(sortedSimilarPoints, { minLength: 1, maxLength: 6 }), fc.nat(5), (batches, cut) => {
        const oneByOne = batches.reduce<EncodedChunk[]>((stored, batch) => applyOfPlanAppends(stored, [batch]), [])
        const before = batches
          .slice(0, cut)
          .reduce<EncodedChunk[]>((stored, batch) => applyOfPlanAppends(stored, [batch]), [])

        const together = applyOfPlanAppends(before, batches.slice(cut))

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

function applyOfPlanAppends(stored: readonly EncodedChunk[], batches: readonly PointColumns[]): EncodedChunk[] {
  const { removed, inserted } = planAppends({ stored, batches })
  const kept = stored.filter(({ firstMs }) => !removed.includes(firstMs))
  return [...kept, ...inserted].sort((a, b) => a.firstMs - b.firstMs)
}

function texts(chunks: readonly EncodedChunk[]): string[] {
  return pointTexts(concatColumns(chunks.map(({ bytes }) => decodeChunk(bytes))))
}

function storedAt(...timesMs: number[]): StoredBytes {
  const bytes = encodeChunk(pointsAt(...timesMs), 'fast')
  return { firstMs: timesMs[0], lastMs: timesMs[timesMs.length - 1], bytes }
}
