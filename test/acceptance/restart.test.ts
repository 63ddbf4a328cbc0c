import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TRACKS_ALONE } from '../durability/installation.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { startAgain, startProgram } from './start-program.ts'

const KEY = { 'Idempotency-Key': 'before-restart' }

for (const database of databases) {
  describe(`Starting again on ${database.name}`, () => {
    test('keeps tracks, points, statistics and Idempotency-Keys; only the first start prints the token', async (t) => {
      const { installation, process, request, tracks } = await startProgram(t, database, TRACKS_ALONE)
      const first = process.output().stdout
      const running = await tracks.create()
      await tracks.add(running, makePoints(50, undefined, { altitude: 12.5 }))
      const synced = await tracks.sync({ points: makePoints(50), stats: { distance_meters: 3 } })
      const body = { track: { device_track_id: 'phone' }, points: makePoints(20) }
      const answer = await (await request('POST', '/sync', body, KEY)).json()
      const before = [await tracks.read(running), await tracks.read(synced), await tracks.points(running)]

      const exit = await process.stop('SIGINT')
      const later = await startAgain(installation)

      assert.equal(exit, 0)
      assert.match(first, /running at http:\/\/localhost:\d+\n/)
      assert.match(first, /Default/)
      assert.match(first, /App token +trk_[\w-]{43}\n/)
      assert.match(later.process.output().stdout, /running at http:\/\/localhost:\d+\n/)
      assert.doesNotMatch(later.process.output().stdout, /trk_/)
      assert.deepEqual(
        [await later.tracks.read(running), await later.tracks.read(synced), await later.tracks.points(running)],
        before,
      )
      const again = await later.request('POST', '/sync', body, KEY)
      assert.equal(again.status, 201)
      assert.deepEqual(await again.json(), answer)
      const other = await later.request('POST', '/sync', { ...body, points: makePoints(21) }, KEY)
      await readProblem(other, 422, 'UNPROCESSABLE')
    })
  })
}
