import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'

describeTracks('POST /tracks/:id/finish', async ({ service, tracks }) => {
  test('answers 200 with the stopped track and its statistics', async () => {
    const id = await tracks.create({ start_ts: '2026-05-03T06:00:00Z' })
    await tracks.add(id, makePoints(101, undefined, { altitude: 35 }))

    const response = await service.request('POST', `/tracks/${id}/finish`)

    assert.equal(response.status, 200)
    const finished = (await response.json()) as Awaited<ReturnType<typeof tracks.read>>
    assert.deepEqual(finished, await tracks.read(id))
    assert.equal(finished.state, 'stopped')
    assert.equal(finished.end_ts, '2026-05-03T06:01:40.000Z')
    const { distance_meters, duration_sec, mean_speed_mps, pace_sec_per_km } = finished.stats
    assert.ok(Math.abs(distance_meters - 111.195) < 0.01, String(distance_meters))
    assert.equal(duration_sec, 100)
    assert.ok(Math.abs(mean_speed_mps - 1.11195) < 0.0001)
    assert.ok(Math.abs(pace_sec_per_km - 899.3) < 0.1)
    assert.deepEqual([finished.stats.max_altitude_m, finished.stats.min_altitude_m], [35, 35])
    assert.equal(finished.stats.points_count, 101)
  })

  test('answers with the stopped track while somebody else waits for its statistics', async () => {
    const id = await tracks.create({ start_ts: '2026-05-03T06:00:00Z' })
    // Altitudes that compress badly make a track too long for the thread that answers.
    for (let i = 0; i < 4; i++) {
      const points = makePoints(10_000, Date.UTC(2026, 4, 3, 6 + 3 * i))
      await tracks.add(
        id,
        points.map((point, place) => ({ ...point, altitude: Math.sin(place) * 1000 })),
      )
    }

    const read = tracks.read(id)
    await setTimeout(20)
    const finished = await tracks.finish(id)

    assert.deepEqual([finished.state, finished.end_ts], ['stopped', '2026-05-03T17:46:39.000Z'])
    await read
  })

  test('accepts no body and an empty one', async () => {
    const id = await tracks.create()

    const answers = [
      await service.request('POST', `/tracks/${id}/finish`),
      await service.request('POST', `/tracks/${id}/finish`, {}),
      await service.request('POST', `/tracks/${id}/finish`, undefined, { 'Content-Type': 'application/json' }),
    ]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
  })

  test('sets the end of a track without points to now', async () => {
    const id = await tracks.create({ start_ts: new Date(Date.now() - 90_000).toISOString() })
    const beforeMs = Date.now()

    const finished = await tracks.finish(id)

    const endMs = Date.parse(finished.end_ts!)
    assert.ok(endMs >= beforeMs && endMs <= Date.now())
    assert.ok(finished.stats.duration_sec >= 90)
    assert.equal(finished.stats.distance_meters, 0)
  })

  test('never sets an end before the start', async () => {
    const empty = await tracks.create({ start_ts: '2099-01-01T00:00:00Z' })
    const early = await tracks.create({ start_ts: '2099-01-01T00:00:00Z' })
    await tracks.add(early, makePoints(3))

    for (const id of [empty, early]) {
      assert.equal((await tracks.finish(id)).end_ts, '2099-01-01T00:00:00.000Z')
    }
  })

  test('keeps an existing end', async () => {
    const id = await tracks.create({ start_ts: '2026-05-03T06:00:00Z' })
    await tracks.add(id, makePoints(3))
    await tracks.update(id, { end_ts: '2026-05-03T12:00:00Z' })

    assert.equal((await tracks.finish(id)).end_ts, '2026-05-03T12:00:00.000Z')
  })

  test('can be repeated, and computes the statistics again', async () => {
    const id = await tracks.create()
    const points = makePoints(20)
    await tracks.add(id, points.slice(0, 10))
    const first = await tracks.finish(id)
    await tracks.add(id, points.slice(10))
    await tracks.update(id, { state: 'running' })

    const second = await tracks.finish(id)

    assert.equal(second.state, 'stopped')
    assert.equal(second.end_ts, first.end_ts)
    assert.deepEqual([first.stats.duration_sec, second.stats.duration_sec], [9, 19])
    assert.ok(second.updated_at > first.updated_at)
  })

  test('gives concurrent requests the same answer', async () => {
    const id = await tracks.create()
    await tracks.add(id, makePoints(500))

    const finished = await Promise.all(Array.from({ length: 8 }, () => tracks.finish(id)))

    for (const { stats, state } of finished)
      assert.deepEqual({ stats, state }, { stats: finished[0].stats, state: 'stopped' })
  })
})
