import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { held, sizes, startTarget, type Target } from '../support/attack.ts'
import { makePoints, type WirePoint } from '../support/make-points.ts'

const SIZE = sizes({ points: 100_000, requests: 10 }, { points: 500_000, requests: 20 })
/** Bounds of the main thread's time for one request: one or two chunks to hand on, and all chunks of a long track. */
const MAX_MS = sizes({ fewChunks: 50, allChunks: 100 }, { fewChunks: 25, allChunks: 60 })
const START_MS = Date.UTC(2026, 4, 3, 6)
const BATCH = 10_000

describe('points against storage', async () => {
  const target = await startTarget({ after })

  test('points of one time are refused before each further one costs more than a batch', async (t) => {
    const trackId = await target.tracks.create()
    const send = async (points: WirePoint[]) =>
      (await target.request('POST', `/tracks/${trackId}/points`, { points })).status
    let stored = 0
    let status = 204
    while (status === 204 && stored < SIZE.points) {
      status = await send(sameTime(stored, BATCH))
      if (status === 204) stored += BATCH
    }

    const cost = await measure(target, async (i) => {
      await send(sameTime(stored + i, 1))
    })

    assert.equal(status, 403)
    assert.equal((await target.tracks.read(trackId)).points_count, stored)
    assertBounded(cost, MAX_MS.fewChunks)
    held(t, { 'points of one time': [stored, ''], ...figuresOf(cost) })
  })

  test('late points at both ends of a long track decode two chunks, not the track', async (t) => {
    const trackId = await longTrack(target)

    const cost = await measure(target, async (i) => {
      await target.tracks.add(trackId, [pointAt(i + 0.5), pointAt(SIZE.points - i - 1.5)])
    })

    assert.equal((await target.tracks.read(trackId)).points_count, SIZE.points + 2 * cost.requests)
    assertBounded(cost, MAX_MS.fewChunks)
    held(t, figuresOf(cost))
  })

  test('late points all over a long track keep the main thread free', async (t) => {
    const trackId = await longTrack(target)
    const perRequest = Math.ceil(SIZE.points / 8_000)

    const cost = await measure(target, async (i) => {
      const late = Array.from({ length: perRequest }, (_, chunk) => pointAt(chunk * 8_000 + i + 0.5))
      await target.tracks.add(trackId, late)
    })

    assert.equal((await target.tracks.read(trackId)).points_count, SIZE.points + perRequest * cost.requests)
    assertBounded(cost, MAX_MS.allChunks)
    held(t, figuresOf(cost))
  })
})

type Cost = { requests: number; elapsedMs: number; mainThreadMs: number | undefined; failed: number; longestMs: number }

/** Sends all requests one after the other, first alone to measure their cost, then again with others around. */
async function measure(target: Target, send: (i: number) => Promise<void>): Promise<Cost> {
  const before = target.usage()
  const startedMs = performance.now()
  for (let i = 0; i < SIZE.requests; i++) await send(i)
  const elapsedMs = performance.now() - startedMs
  const used = target.usage()
  const probe = await target.probe()
  for (let i = 0; i < SIZE.requests; i++) await send(SIZE.requests + i)
  const { points, health } = await probe.stop()
  return {
    requests: 2 * SIZE.requests,
    elapsedMs,
    mainThreadMs: used && before && used.mainThreadMs - before.mainThreadMs,
    failed: points.failed + health.failed,
    longestMs: Math.max(points.longestMs, health.longestMs),
  }
}

function assertBounded({ mainThreadMs = 0, failed }: Cost, maxMs: number): void {
  assert.equal(failed, 0)
  assert.ok(mainThreadMs / SIZE.requests < maxMs, `${mainThreadMs} ms on the main thread`)
}

function figuresOf({ elapsedMs, mainThreadMs = 0, longestMs }: Cost) {
  return {
    'one request': [elapsedMs / SIZE.requests, 'ms'],
    'of it on the main thread': [mainThreadMs / SIZE.requests, 'ms'],
    'longest wait of others': [longestMs, 'ms'],
  } as const
}

/** Creates a track with one point per second. */
async function longTrack({ tracks }: Target): Promise<string> {
  const trackId = await tracks.create()
  for (let at = 0; at < SIZE.points; at += BATCH) await tracks.add(trackId, makePoints(BATCH, START_MS + at * 1000))
  return trackId
}

function pointAt(sec: number): WirePoint {
  return makePoints(1, START_MS + sec * 1000)[0]
}

/** Different points of the same time. */
function sameTime(from: number, count: number): WirePoint[] {
  const [point] = makePoints(1)
  return Array.from({ length: count }, (_, i) => ({ ...point, altitude: (from + i) / 1000 }))
}
