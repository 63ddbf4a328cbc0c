import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'

describeTracks('POST /tracks/:id/points', async ({ service, tracks }) => {
  test('answers 204 without a body, and the next read has the points', async () => {
    const id = await tracks.create()
    const points = makePoints(3)

    const response = await service.request('POST', `/tracks/${id}/points`, { points })

    assert.equal(response.status, 204)
    assert.equal(await response.text(), '')
    assert.deepEqual((await tracks.points(id)).points, points)
    assert.equal((await tracks.read(id)).points_count, 3)
  })

  test('adds batch after batch', async () => {
    const id = await tracks.create()
    const points = makePoints(40)

    for (let from = 0; from < 40; from += 10) await tracks.add(id, points.slice(from, from + 10))

    assert.deepEqual((await tracks.points(id)).points, points)
  })

  test('accepts concurrent batches', async () => {
    const id = await tracks.create()
    const points = makePoints(200)

    await Promise.all(Array.from({ length: 20 }, (_, i) => tracks.add(id, points.slice(i * 10, i * 10 + 10))))

    assert.deepEqual((await tracks.points(id)).points, points)
  })

  test('accepts 10,000 points; answers 400 for 10,001 and stores none', async () => {
    const id = await tracks.create()

    await tracks.add(id, makePoints(10_000))
    const response = await service.request('POST', `/tracks/${id}/points`, { points: makePoints(10_001, 0) })

    const problem = await readProblem(response, 400, 'BAD_REQUEST')
    assert.deepEqual(problem.errors, [{ path: 'points', message: 'must have at most 10000 items' }])
    assert.equal((await tracks.read(id)).points_count, 10_000)
  })

  test('changes nothing for an empty list', async () => {
    const id = await tracks.create()
    const before = await tracks.read(id)

    await tracks.add(id, [])

    assert.deepEqual(await tracks.read(id), before)
  })

  test('accepts late points of a stopped track and updates its statistics', async () => {
    const id = await tracks.create()
    const points = makePoints(61)
    await tracks.add(id, points.slice(0, 31))
    const finished = await tracks.finish(id)

    await tracks.add(id, points.slice(31))

    const track = await tracks.read(id)
    assert.equal(track.state, 'stopped')
    assert.deepEqual([finished.stats.duration_sec, track.stats.duration_sec], [30, 60])
    assert.ok(track.stats.distance_meters > finished.stats.distance_meters * 1.9)
    assert.equal(track.points_count, 61)
  })

  test('stores nothing of a request with one invalid point, and names the point and the field', async () => {
    const id = await tracks.create()
    const points: object[] = makePoints(5)
    points[3] = { ...points[3], latitude: 90.5 }

    const response = await service.request('POST', `/tracks/${id}/points`, { points })

    const problem = await readProblem(response, 400, 'BAD_REQUEST')
    assert.deepEqual(problem.errors, [{ path: 'points/3/latitude', message: 'must be <= 90' }])
    assert.equal((await tracks.read(id)).points_count, 0)
  })

  test('answers 400 if points is missing, null or not a list', async () => {
    const id = await tracks.create()

    for (const body of [{}, { points: null }, { points: {} }, { points: 'none' }, { Points: [] }]) {
      assert.deepEqual(await wrongPlaces(await service.request('POST', `/tracks/${id}/points`, body)), ['points'])
    }
    for (const body of [[], 3, null]) {
      assert.deepEqual(await wrongPlaces(await service.request('POST', `/tracks/${id}/points`, body)), [''])
    }
  })

  test('changes updated_at for new points and not for duplicates', async () => {
    const id = await tracks.create()
    const created = await tracks.read(id)

    await tracks.add(id, makePoints(3))
    const withPoints = await tracks.read(id)
    await tracks.add(id, makePoints(2))
    const withKnownPoints = await tracks.read(id)

    assert.ok(withPoints.updated_at > created.updated_at)
    assert.equal(withKnownPoints.updated_at, withPoints.updated_at)
    assert.equal(withPoints.created_at, created.created_at)
  })

  test('ignores unknown fields of the body and of points', async () => {
    const id = await tracks.create()
    const [point] = makePoints(1)

    const response = await service.request('POST', `/tracks/${id}/points`, {
      batch: 1,
      points: [{ ...point, provider: 'fused', nested: { latitude: 999 } }],
    })

    assert.equal(response.status, 204)
    assert.deepEqual((await tracks.points(id)).points, [point])
  })
})
