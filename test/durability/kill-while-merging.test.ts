import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { checkAfterCrash, pointCount } from './check-tracks.ts'
import { errorsLogged, openInstallation } from './installation.ts'
import { ACTIVE_TRACKS, type LoadMix, startLoad } from './load.ts'
import type { Ledger } from './recorded-track.ts'
import { roundCount, seededRandom } from './seeded-random.ts'

/** Small batches to few tracks, and finishes: each track has something to merge nearly all the time. */
const MERGED: LoadMix = {
  create: 0,
  sync: 0,
  sendNext: 82,
  sendLate: 6,
  sendAgain: 2,
  sendTwiceAtOnce: 1,
  sendOverlapping: 2,
  finish: 5,
  read: 2,
}

for (const database of databases) {
  describe(`A process that is killed while chunks are merged, on ${database.name}`, () => {
    test('has every point once, in the old chunks or in the new ones', async (t) => {
      const random = seededRandom(t)
      const rounds = roundCount(3)
      const ledger: Ledger = []
      let requests = 0
      const installation = await openInstallation(t, database.open)
      let server = await installation.start()

      for (let round = 0; round < rounds; round++) {
        const recentFrom = Math.max(0, ledger.length - ACTIVE_TRACKS)
        const load = startLoad(server.send, random, ledger, { mix: MERGED, batchPoints: [1, 4], activeTracks: 2 })
        await wait(random.between(600, 1600))
        await server.stop('SIGKILL')
        await load.ended
        requests += load.requests()
        const errors = errorsLogged(server)
        server = await installation.start()

        assert.deepEqual(errors, [])
        await checkAfterCrash(server, installation, { recent: ledger.slice(recentFrom), ledger, random })
      }

      const { answer } = await installation.admin('storage', 'stats')
      const { chunks, merged_chunks } = answer as { chunks: number; merged_chunks: number }
      t.diagnostic(`${rounds} kills, ${requests} requests, ${pointCount(ledger)} points, ${chunks} chunks at the end`)
      assert(merged_chunks > 0, 'nothing was merged')
    })
  })
}
