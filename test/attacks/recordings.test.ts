import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { holdMeter } from '../support/attack/hold.ts'
import { held, sizes, startTarget } from '../support/attack.ts'
import { gpxOf, gpxTrack, makeGpxRecording } from '../support/make-recordings.ts'

/** Size of a file. The largest that is accepted has 64 MiB. */
const BYTES = sizes(1_000_000, 60_000_000)
const REQUESTS = sizes(2, 4)
/**
 * The budget of bodies and the memory of the thread that reads files; without limits, each of these takes gigabytes.
 */
const MAX_GROWTH_MB = 1_200
/** No client may hold the thread that answers longer. */
const MAX_HOLD_MS = 100

/** Size of a small gzip file once it is unpacked, and how many of them one event sends for as many people. */
const UNFOLDED_BYTES = 1_000_000
const ATTACKING_FILES = 16
/** Files that may be read before that of another event: the current one, and one whose turn comes first. */
const MAX_READ_BEFORE = 3

const filled = (piece: string) => piece.repeat(Math.floor(BYTES / piece.length))
const json = (values: string) =>
  `{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[${values}0]}}`

const FILES: Record<string, string | Uint8Array<ArrayBuffer>> = {
  'a file of millions of XML elements': gpxOf(gpxTrack(), filled('<a/>')),
  'a file of XML that is nested without end': gpxOf(filled('<a>')),
  'a file of one attribute': gpxOf(`<a b="${filled('x')}"/>`),
  'a file of points without a time': gpxOf(`<trk><trkseg>${filled('<trkpt lat="1" lon="1"/>')}</trkseg></trk>`),
  'a file of millions of JSON values': json(filled('[],')),
  'a file of JSON that is nested without end': filled('['),
  'a gzip bomb': gzipSync(Buffer.alloc(70 * 1_048_576)),
}

describe('hostile recordings', async () => {
  const meter = holdMeter({ after })
  const target = await startTarget({ after }, undefined, meter.settings)
  const { url, token } = target

  for (const [name, file] of Object.entries(FILES)) {
    test(`${name} is read or refused without holding up others`, async (t) => {
      const probe = await target.probe()
      const start = target.usage()

      const answers: Response[] = []
      const holdMs = await meter.longestMs(target.pid, async () => {
        for (let i = 0; i < REQUESTS; i++) answers.push(await send(file, i))
      })

      const end = target.usage()
      const { points, health } = await probe.stop()
      for (const { status } of answers) assert.ok([201, 413, 422].includes(status), String(status))
      assert.equal(points.failed + health.failed, 0)
      const growthMb = end && start ? (end.peakRssBytes - start.rssBytes) / 1_048_576 : 0
      assert.ok(growthMb < MAX_GROWTH_MB, `${growthMb} MB`)
      assert.ok(holdMs < MAX_HOLD_MS, `${holdMs} ms`)
      held(t, {
        files: [REQUESTS, ''],
        'size of each': [file.length / 1_000_000, 'MB'],
        'longest hold of the thread that answers': [holdMs, 'ms'],
        'longest wait of others': [Math.max(points.longestMs, health.longestMs), 'ms'],
      })
    })
  }

  test('small files of one event that unfold do not keep a person of another event from importing', async (t) => {
    const other = await target.createEvent()
    const file = gzipSync(gpxOf(gpxTrack(), '<a/>'.repeat(UNFOLDED_BYTES / 4)), { level: 1 })
    let read = 0
    const { promise: isFirstRead, resolve: firstRead } = Promise.withResolvers<void>()
    const attacks = Array.from({ length: ATTACKING_FILES }, async (_, user) => {
      const { status } = await send(file, user)
      if (status !== 503) read++
      if (status !== 503) firstRead()
      return status
    })
    await isFirstRead
    const readBefore = read

    const { status } = await send(makeGpxRecording(), 0, other.token)

    const readMeanwhile = read - readBefore
    const statuses = await Promise.all(attacks)
    assert.equal(status, 201)
    for (const each of statuses) assert.ok([201, 409, 422, 503].includes(each), String(each))
    assert.ok(read > 2 * MAX_READ_BEFORE, `only ${read} were read`)
    assert.ok(readMeanwhile <= MAX_READ_BEFORE, `${readMeanwhile} were read before`)
    held(t, {
      files: [ATTACKING_FILES, ''],
      'size of each': [file.length / 1000, 'kB'],
      'read before that of another event': [readMeanwhile, ''],
      refused: [ATTACKING_FILES - read, ''],
    })
  })

  async function send(file: string | Uint8Array<ArrayBuffer>, user: number, appToken = token): Promise<Response> {
    const headers = { 'X-API-Key': appToken, 'Content-Type': 'application/octet-stream' }
    const response = await fetch(`${url}/tracks/import?user_id=${user}`, { method: 'POST', headers, body: file })
    await response.arrayBuffer()
    return response
  }
})
