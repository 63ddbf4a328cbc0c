import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'

/** Long enough for a leg to overlap the pause despite the granularity of the clock. */
const PAUSE_MS = 30

describeTracks('Pauses', { on: oneDatabase }, async ({ tracks }) => {
  test('exclude overlapping legs from distance and climb, but not from the duration', async () => {
    const id = await tracks.create()
    const [from, to] = makePoints(2)
    const beforeMs = Date.now() - 60_000
    await tracks.update(id, { state: 'paused' })
    await setTimeout(PAUSE_MS)
    await tracks.update(id, { state: 'running' })
    const afterMs = beforeMs + 600_000

    await tracks.add(id, [
      { ...from, altitude: 100, timestamp: new Date(beforeMs).toISOString() },
      { ...to, latitude: 48.9, altitude: 300, timestamp: new Date(afterMs).toISOString() },
      { ...to, latitude: 48.901, altitude: 310, timestamp: new Date(afterMs + 60_000).toISOString() },
    ])

    const { stats } = await tracks.read(id)
    assert.ok(Math.abs(stats.distance_meters - 111.19) < 0.01, String(stats.distance_meters))
    assert.equal(stats.elevation_gain_m, 10)
    assert.equal(stats.duration_sec, 660)
    assert.ok(stats.paused_time_sec > 0)
  })

  test('leave legs before and after unchanged', async () => {
    const id = await tracks.create()
    await tracks.add(id, makePoints(11, Date.UTC(2020, 0, 1)))
    const before = await tracks.read(id)

    await tracks.update(id, { state: 'paused' })
    await setTimeout(PAUSE_MS)
    const resumed = await tracks.update(id, { state: 'running' })

    assert.equal(resumed.stats.distance_meters, before.stats.distance_meters)
    assert.equal(resumed.stats.duration_sec, 10)
  })

  test('last until the next state or the finish', async () => {
    const points = (startMs: number) => makePoints(2, startMs, {}).map((point, i) => ({ ...point, latitude: 48 + i }))
    const open = await tracks.create()
    const ended = await tracks.create()
    await tracks.update(open, { state: 'paused' })
    await tracks.update(ended, { state: 'paused' })
    await setTimeout(PAUSE_MS)
    await tracks.finish(ended)
    const laterMs = Date.now() + 3_600_000

    await tracks.add(open, points(laterMs))
    await tracks.add(ended, points(laterMs))

    assert.equal((await tracks.read(open)).stats.distance_meters, 0)
    assert.ok((await tracks.read(ended)).stats.distance_meters > 111_000)
  })

  test('stay unchanged when a paused track is paused again', async () => {
    const id = await tracks.create()
    await tracks.update(id, { state: 'paused' })
    await setTimeout(PAUSE_MS)
    const pausedMs = Date.now()

    await tracks.update(id, { state: 'paused' })
    await tracks.update(id, { state: 'running' })

    const [from, to] = makePoints(2)
    await tracks.add(id, [
      { ...from, timestamp: new Date(pausedMs - PAUSE_MS / 2).toISOString() },
      { ...to, timestamp: new Date(pausedMs - PAUSE_MS / 2 + 1).toISOString() },
    ])
    assert.equal((await tracks.read(id)).stats.distance_meters, 0)
  })
})
