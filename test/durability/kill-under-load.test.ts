import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { checkAfterCrash, pointCount } from './check-tracks.ts'
import { errorsLogged, openInstallation, TRACKS_ALONE } from './installation.ts'
import { ACTIVE_TRACKS, startLoad } from './load.ts'
import type { Ledger } from './recorded-track.ts'
import { roundCount, seededRandom } from './seeded-random.ts'

for (const database of databases) {
  describe(`a process killed while phones send, on ${database.name}`, () => {
    test('loses nothing acknowledged, stores no partial request, and stores repeated requests once', async (t) => {
      const random = seededRandom(t)
      const rounds = roundCount(2)
      const ledger: Ledger = []
      let requests = 0
      const installation = await openInstallation(t, database.prepare, TRACKS_ALONE)
      let server = await installation.start()

      for (let round = 0; round < rounds; round++) {
        const recentFrom = Math.max(0, ledger.length - ACTIVE_TRACKS)
        const load = startLoad(server.send, random, ledger)
        // Not a time: a busy machine answers later. From the first answers on, every moment has requests under way.
        await load.untilSent(random.between(20, 120))
        await server.stop('SIGKILL')
        await load.ended
        requests += load.requests()
        const errors = errorsLogged(server)
        server = await installation.start()

        assert.deepEqual(errors, [])
        await checkAfterCrash(server, installation, { recent: ledger.slice(recentFrom), ledger, random })
      }

      t.diagnostic(`${rounds} kills, ${requests} requests, ${ledger.length} tracks, ${pointCount(ledger)} points`)
      assert(pointCount(ledger) > 0)
    })
  })
}
