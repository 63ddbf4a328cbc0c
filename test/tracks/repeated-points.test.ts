import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints, type WirePoint } from '../support/make-points.ts'

/** Each run creates a track through HTTP, so there are few. Unit tests of point sets make thousands. */
const RUNS = 12

/** Few times and places, so that points often coincide. */
const point = fc.record<WirePoint>(
  {
    latitude: fc.integer({ min: 0, max: 3 }).map((step) => 48 + step / 1000),
    longitude: fc.constantFrom(2, 2.001, -0, 0),
    timestamp: fc.integer({ min: 0, max: 15 }).map((sec) => new Date(Date.UTC(2026, 4, 3) + sec * 1000).toISOString()),
    altitude: fc.constantFrom(0, 10, 12.5),
    origin: fc.constantFrom('native', 'background'),
  },
  { requiredKeys: ['latitude', 'longitude', 'timestamp'] },
)

/** Distinct points, so that every cut and order gives the same set. */
const points = fc.uniqueArray(point, { minLength: 1, maxLength: 40, selector: (one) => JSON.stringify(one) })

describeTracks('Points sent again', { on: oneDatabase }, async ({ service, tracks }) => {
  test('change nothing if a batch is repeated, overlaps or is cut differently', async () => {
    const all = makePoints(20)
    const id = await tracks.create()
    await tracks.add(id, all)
    const before = await tracks.read(id)

    await tracks.add(id, all)
    await tracks.add(id, all.slice(5, 15))
    for (const one of all) await tracks.add(id, [one])

    assert.deepEqual(await tracks.read(id), before)
    assert.deepEqual((await tracks.points(id)).points, all)
  })

  test('keep copies within a request, as many as the most in any one request', async () => {
    const [one, two] = makePoints(2)
    const id = await tracks.create()

    await tracks.add(id, [one, one, two])
    await tracks.add(id, [one, two, two, two])
    await tracks.add(id, [one])

    assert.deepEqual((await tracks.points(id)).points, [one, one, two, two, two])
  })

  test('are different points if one field differs', async () => {
    const [one] = makePoints(1)
    const id = await tracks.create()
    const others = [
      { altitude: 1 },
      { accuracy: 1 },
      { speed_mps: 1 },
      { heading: 1 },
      { battery: 1 },
      { origin: 'native' },
    ]

    for (const fields of [{}, ...others, {}, ...others]) await tracks.add(id, [{ ...one, ...fields }])

    assert.equal((await tracks.read(id)).points_count, 7)
  })

  test('are compared to the millisecond, after truncation', async () => {
    const [one] = makePoints(1)
    const id = await tracks.create()

    await tracks.add(id, [{ ...one, timestamp: '2026-05-03T06:00:00.1231Z' }])
    await tracks.add(id, [{ ...one, timestamp: '2026-05-03T08:00:00.1239+02:00' }])
    await tracks.add(id, [{ ...one, timestamp: '2026-05-03T06:00:00.124Z' }])

    assert.equal((await tracks.read(id)).points_count, 2)
  })

  test('give the same track for a sync and for batches', async () => {
    const all = makePoints(300, undefined, { altitude: 20 })
    const synced = await tracks.sync({ points: all })
    const batched = await tracks.create()

    await Promise.all([200, 0, 100].map((from) => tracks.add(batched, all.slice(from, from + 150))))

    assert.deepEqual((await tracks.points(batched)).points, (await tracks.points(synced)).points)
    assert.deepEqual((await tracks.read(batched)).stats, (await tracks.read(synced)).stats)
  })

  test('are listed in an order that does not depend on their arrival', async () => {
    const same = Array.from({ length: 8 }, (_, i) => ({ ...makePoints(1)[0], latitude: 48 + ((i * 5) % 8) }))
    const forth = await tracks.create()
    const back = await tracks.create()

    await tracks.add(forth, same)
    for (const one of [...same].reverse()) await tracks.add(back, [one])

    assert.deepEqual((await tracks.points(forth)).points, (await tracks.points(back)).points)
  })

  test('give the same bytes and statistics for any order, cut and repetition', async () => {
    const batches = points.chain((all) =>
      fc.record({
        all: fc.constant(all),
        batches: fc.array(fc.shuffledSubarray(all, { minLength: 1 }), { maxLength: 6 }),
        rest: fc.shuffledSubarray(all, { minLength: all.length }),
        cut: fc.nat(all.length),
      }),
    )

    await fc.assert(
      fc.asyncProperty(batches, async ({ all, batches, rest, cut }) => {
        const expected = await tracks.create()
        await tracks.add(expected, all)
        const id = await tracks.create()
        await Promise.all(batches.map((batch) => tracks.add(id, batch)))
        await tracks.add(id, rest.slice(0, cut))
        await tracks.add(id, rest.slice(cut))

        assert.equal(await listed(id), await listed(expected))
        assert.deepEqual((await tracks.read(id)).stats, (await tracks.read(expected)).stats)
      }),
      { numRuns: RUNS },
    )

    async function listed(id: string): Promise<string> {
      const answer = await (await service.request('GET', `/tracks/${id}/points`)).text()
      return answer.replace(id, 'id')
    }
  })
})
