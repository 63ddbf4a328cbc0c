import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { clientAddress, getFrom } from '../support/attack/request-from.ts'
import { held, sizes, startTarget } from '../support/attack.ts'
import { makePoints } from '../support/make-points.ts'

const SIZE = sizes({ points: 20_000, requests: 100, others: 120 }, { points: 200_000, requests: 400, others: 400 })
const BATCH_POINTS = 10_000
const START_MS = Date.UTC(2026, 4, 3, 6)
/** `/metrics` answers with figures that are at most this old. */
const METRICS_KEPT_MS = 100
/** A phone's track of an hour. */
const PHONE_POINTS = 3600

describe('the line of a shared track', async () => {
  const target = await startTarget({ after })
  const { url, tracks } = target
  const trackId = await longTrack()
  const seriesUrl = `${url}${await target.share()}/tracks/${trackId}/series`

  async function longTrack(): Promise<string> {
    const points = (start: number) => makePoints(BATCH_POINTS, START_MS + start * 1000)
    const id = await tracks.sync({ points: points(0) })
    for (let start = BATCH_POINTS; start < SIZE.points; start += BATCH_POINTS) {
      await tracks.add(id, points(start))
    }
    return id
  }

  /** Has many spectators ask for a line of this many points while a phone finishes its track. */
  async function askAtOnce(linePoints: number) {
    const phoneTrackId = await tracks.create()
    await tracks.add(phoneTrackId, makePoints(PHONE_POINTS))
    const asked = Array.from({ length: SIZE.requests }, (_, i) =>
      getFrom(clientAddress(i % 50), `${seriesUrl}?points=${linePoints}`),
    )
    const startMs = performance.now()
    await tracks.finish(phoneTrackId)
    const finishMs = performance.now() - startMs
    const answers = await Promise.all(asked)
    return { answers, finishMs, allMs: performance.now() - startMs }
  }

  async function waitingComputations(): Promise<number> {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return Number(/^tracks_compute_queue_length (\d+)$/m.exec(metrics)![1])
  }

  test('is computed once for all who ask for it, and delays no phone', async (t) => {
    // The first requests of their kind load code and start threads.
    await askAtOnce(19_000)
    const before = target.usage()
    const probe = await target.probe()

    const { answers, finishMs, allMs } = await askAtOnce(20_000)

    const { points } = await probe.stop()
    const after = target.usage()
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.ok(answers.every(({ body }) => body.equals(answers[0].body)))
    assert.equal(points.failed, 0)
    if (before !== undefined && after !== undefined) {
      // Computing and writing a line once for each request takes more than twice as long.
      const processorMs = after.processorMs - before.processorMs
      assert.ok(processorMs < SIZE.requests * 10, `${processorMs} ms`)
    }
    held(t, {
      requests: [SIZE.requests, ''],
      'processor time': [(after?.processorMs ?? 0) - (before?.processorMs ?? 0), 'ms'],
      'peak memory': [((after?.peakRssBytes ?? 0) - (before?.rssBytes ?? 0)) / 1_048_576, 'MiB more'],
      'finish of a phone': [finishMs, 'ms'],
      'all spectators answered after': [allMs, 'ms'],
      'longest wait of a phone': [points.longestMs, 'ms'],
    })
  })

  test('is computed for at most 16 sizes at once for one address, and for 64 in a queue', async (t) => {
    const sizesOf = (count: number) => Array.from({ length: count }, (_, i) => `${seriesUrl}?points=${50 + i}`)
    const probe = await target.probe()
    const phoneTrackId = await tracks.create()
    await tracks.add(phoneTrackId, makePoints(PHONE_POINTS))

    const ofOne = await Promise.all(sizesOf(60).map((path) => getFrom(clientAddress(0), path)))
    let computed = 0
    const asked = sizesOf(SIZE.others).map(async (path, i) => {
      const answer = await getFrom(clientAddress(1 + (i % 50)), `${path}0`)
      if (answer.status === 200) computed++
      return answer
    })
    while ((await waitingComputations()) < 32);
    computed = 0
    await tracks.finish(phoneTrackId)
    const computedBeforePhone = computed
    const ofMany = await Promise.all(asked)

    const { points } = await probe.stop()
    const statuses = (answers: readonly { status: number }[]) => new Set(answers.map(({ status }) => status))
    assert.deepEqual(statuses(ofOne), new Set([200, 429]))
    assert.deepEqual(statuses(ofMany), new Set([200, 503]))
    for (const { status, headers } of [...ofOne, ...ofMany]) {
      assert.equal(headers['retry-after'] !== undefined, status !== 200)
    }
    assert.ok(computedBeforePhone < 16, `${computedBeforePhone} before the phone`)
    assert.equal(points.failed, 0)
    held(t, {
      requests: [60 + SIZE.others, ''],
      refused: [[...ofOne, ...ofMany].filter(({ status }) => status !== 200).length, ''],
      'computed for spectators before the phone': [computedBeforePhone, ''],
      'longest wait of a phone': [points.longestMs, 'ms'],
    })
  })

  test('is not computed for those who have left', async (t) => {
    const leaving = new AbortController()
    const left = Array.from({ length: 48 }, (_, i) =>
      getFrom(clientAddress(i), `${seriesUrl}?points=${10_000 + i}`, { signal: leaving.signal }).catch(() => 'left'),
    )
    let mostWaiting = 0
    while (mostWaiting < 24) mostWaiting = Math.max(mostWaiting, await waitingComputations())

    leaving.abort()
    await Promise.all(left)
    const answer = await getFrom(clientAddress(60), `${seriesUrl}?points=15000`)
    // Longer than figures are kept, on a busy machine too.
    await wait(2 * METRICS_KEPT_MS)

    assert.equal(answer.status, 200)
    assert.equal(await waitingComputations(), 0)
    held(t, { 'waiting before they left': [mostWaiting, ''], 'waiting after': [0, ''] })
  })
})
