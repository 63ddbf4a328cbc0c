import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { oneDatabase } from '../../test/support/databases.ts'
import { startService } from '../../test/support/start-service.ts'
import { trackRequests } from '../../test/support/track-requests.ts'
import type { ReplayOptions } from './read-arguments.ts'
import { replayActivity } from './replay-activity.ts'

const POINTS = 600
/** One point is in the file twice. */
const REPEATED = 45

const folder = mkdtempSync(join(tmpdir(), 'replay-'))
const path = join(folder, 'around-the-lake.gpx')
writeFileSync(path, gpx())
after(() => rmSync(folder, { recursive: true }))

/** A ten-minute walk over a hill, with one repeated point and two out of time order. */
function gpx(): string {
  const points = Array.from({ length: POINTS }, (_, i) => {
    const timestamp = new Date(Date.UTC(2026, 4, 3, 6, 15, i)).toISOString()
    const altitude = (1000 + 40 * Math.sin((i / POINTS) * Math.PI)).toFixed(1)
    return `<trkpt lat="${(45.9 + i * 0.0000123).toFixed(7)}" lon="6.87"><ele>${altitude}</ele><time>${timestamp}</time></trkpt>`
  })
  points.splice(REPEATED, 0, points[REPEATED])
  points.splice(300, 2, points[301], points[300])
  const segment = `<trk><type>walking</type><trkseg>${points.join('\n')}</trkseg></trk>`
  return `<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="A watch">${segment}</gpx>`
}

for (const database of oneDatabase) {
  describe(`replayActivity on ${database.name}`, async () => {
    const service = await startService({ after }, database, { services: ['tracks'] })
    const tracks = trackRequests(service.request)

    async function replay(given: Partial<ReplayOptions>, signal = new AbortController().signal) {
      const { url, token } = service
      const options = {
        path,
        speed: Number.POSITIVE_INFINITY,
        batchSec: 5,
        isLossy: false,
        seed: 1,
        url,
        token,
        ...given,
      }
      let written = ''
      const terminal = {
        write: (text: string) => {
          written += text
        },
      }
      const isComplete = await replayActivity(options, terminal, signal)
      return { isComplete, written, id: /\/tracks\/(\S+)$/m.exec(written)?.[1] ?? '' }
    }

    test('delivers every point of the file, in time order, and finishes the track', async () => {
      const { isComplete, written, id } = await replay({})

      assert.ok(isComplete)
      assert.match(written, /^around-the-lake\.gpx: walk, 601 points, 9:59, A watch$/m)
      assert.match(written, /^Delivered 601 points in 120 requests within/m)
      assert.match(written, /^The server has all 601 points that it was sent, each once\.$/m)
      const track = await tracks.read(id)
      assert.deepEqual([track.state, track.activity_type, track.points_count], ['stopped', 'walk', POINTS + 1])
      assert.equal(track.start_ts, '2026-05-03T06:15:00.000Z')
      assert.equal(track.end_ts, '2026-05-03T06:24:59.000Z')
      const { points } = await tracks.points(id)
      assert.deepEqual(points[0], { latitude: 45.9, longitude: 6.87, timestamp: track.start_ts, altitude: 1000 })
      assert.deepEqual(points[REPEATED], points[REPEATED + 1])
    })

    test('gives the same points and statistics over a bad connection', async () => {
      const plain = await replay({})

      for (const seed of [1, 2]) {
        const lossy = await replay({ isLossy: true, seed })

        assert.ok(lossy.isComplete)
        assert.match(lossy.written, /^Sent again: .*answer lost.*$/m)
        assert.deepEqual((await tracks.points(lossy.id)).points, (await tracks.points(plain.id)).points)
        assert.deepEqual((await tracks.read(lossy.id)).stats, (await tracks.read(plain.id)).stats)
      }
    })

    test('reports its progress when stopped', async () => {
      const stop = new AbortController()

      const replayed = replay({ speed: 0.01 }, stop.signal)
      setTimeout(() => stop.abort(), 100)

      await assert.rejects(replayed, { name: 'ReplayError', message: /^Stopped/ })
    })

    test('stops on a token of another server', async () => {
      await assert.rejects(replay({ token: 'trk_other' }), /refuses POST \/tracks: 401 UNAUTHORIZED/)
    })

    test('stops at a file that it cannot play', async () => {
      const empty = join(folder, 'empty.gpx')
      writeFileSync(empty, '<gpx><trk><trkseg/></trk></gpx>')

      await assert.rejects(replay({ path: empty }), /no point has both a position and a time/)
      await assert.rejects(replay({ path: join(folder, 'none.fit') }), /none\.fit: there is no such file/)
    })
  })
}
