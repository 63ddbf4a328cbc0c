import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { holdMeter } from '../support/attack/hold.ts'
import { clientAddress, getFrom } from '../support/attack/request-from.ts'
import { held, sizes, startTarget } from '../support/attack.ts'
import { gpxOf, gpxTrack, walkEast } from '../support/make-recordings.ts'

const SIZE = sizes({ tracks: 12, points: 12_000, requests: 30 }, { tracks: 60, points: 8_000, requests: 30 })
/** All points of a recording lie in one chunk, half of which is shown: the delay is half of its duration. */
const DELAY_SEC = SIZE.points / 2
/** Decoding all tracks where requests are answered holds the thread several times as long. */
const MAX_HOLD_MS = 80

describe('a share with a delay', async () => {
  const meter = holdMeter({ after })
  const target = await startTarget({ after }, undefined, meter.settings)
  const event = await target.createEvent({ spectator_delay_sec: DELAY_SEC })
  const share = await target.share({}, event.id)
  await importTracks()

  async function importTracks(): Promise<void> {
    const headers = { 'X-API-Key': event.token, 'Content-Type': 'application/octet-stream' }
    const startMs = Date.now() - SIZE.points * 1000
    const tracks = Array.from({ length: SIZE.tracks }, (_, i) =>
      gpxTrack({ name: `${i}`, points: walkEast(SIZE.points, startMs + i) }),
    )
    const body = gpxOf(...tracks)
    const response = await fetch(`${target.url}/tracks/import?user_id=one`, { method: 'POST', headers, body })
    assert.equal(response.status, 201, await response.text())
  }

  test('of imported tracks is asked for by many at once without holding up others', async (t) => {
    const probe = await target.probe()
    const before = target.usage()

    const answers: { status: number; body: Buffer }[] = []
    const holdMs = await meter.longestMs(target.pid, async () => {
      const asked = Array.from({ length: SIZE.requests }, (_, i) =>
        getFrom(clientAddress(i), `${target.url}${share}/tracks?limit=${SIZE.tracks}`),
      )
      answers.push(...(await Promise.all(asked)))
    })

    const end = target.usage()
    const { points, health } = await probe.stop()
    for (const { status, body } of answers) {
      const { tracks } = JSON.parse(body.toString()) as { tracks: { points_count: number }[] }
      assert.deepEqual([status, tracks.length], [200, SIZE.tracks])
      for (const { points_count } of tracks) assert.ok(points_count > 0 && points_count < SIZE.points)
    }
    assert.equal(points.failed + health.failed, 0)
    assert.ok(holdMs < MAX_HOLD_MS, `${holdMs} ms`)
    held(t, {
      requests: [SIZE.requests, ''],
      'points of the tracks': [SIZE.tracks * SIZE.points, ''],
      'longest hold of the thread that answers': [holdMs, 'ms'],
      'processor time': [(end?.processorMs ?? 0) - (before?.processorMs ?? 0), 'ms'],
      'longest wait of a health check': [health.longestMs, 'ms'],
    })
  })
})
