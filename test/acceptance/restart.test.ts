import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { TRACKS_ALONE } from '../durability/installation.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { type Program, startAgain, startProgram } from './start-program.ts'

for (const database of databases) {
  describe(`Starting again on ${database.name}`, async () => {
    const { installation, ...started } = await startProgram({ after }, database, TRACKS_ALONE)
    /** The process that runs, with requests to it. Each test stops it in another way. */
    let current: Omit<Program, 'installation'> = started

    async function startAnew() {
      current = await startAgain(installation)
      return current
    }

    test('the first start prints the address, the event and its token; a later one prints no token', async () => {
      const { process } = current
      const first = process.output().stdout
      assert.equal(await process.stop('SIGINT'), 0)

      const later = await startAnew()

      assert.match(first, /running at http:\/\/localhost:\d+\n/)
      assert.match(first, /Default/)
      assert.match(first, /App token +trk_[\w-]{43}\n/)
      assert.match(later.process.output().stdout, /running at http:\/\/localhost:\d+\n/)
      assert.doesNotMatch(later.process.output().stdout, /trk_/)
      assert.equal((await later.request('GET', '/tracks')).status, 200)
    })

    test('tracks, points and statistics are unchanged, and SIGTERM exits with code 0', async () => {
      const { process, tracks } = current
      const running = await tracks.create()
      await tracks.add(running, makePoints(50, undefined, { altitude: 12.5 }))
      const synced = await tracks.sync({ points: makePoints(50), stats: { distance_meters: 3 } })
      const before = [await tracks.read(running), await tracks.read(synced), await tracks.points(running)]

      const exit = await process.stop('SIGTERM')
      const later = await startAnew()

      assert.equal(exit, 0)
      assert.deepEqual(
        [await later.tracks.read(running), await later.tracks.read(synced), await later.tracks.points(running)],
        before,
      )
    })

    test('an Idempotency-Key returns the first response even after a restart', async () => {
      const { process, request } = current
      const key = { 'Idempotency-Key': 'before-restart' }
      const body = { track: { device_track_id: 'phone' }, points: makePoints(20) }
      const first = await (await request('POST', '/sync', body, key)).json()
      await process.stop('SIGKILL')

      const later = await startAnew()

      const again = await later.request('POST', '/sync', body, key)
      assert.equal(again.status, 201)
      assert.deepEqual(await again.json(), first)
      const other = await later.request('POST', '/sync', { ...body, points: makePoints(21) }, key)
      await readProblem(other, 422, 'UNPROCESSABLE')
    })
  })
}
