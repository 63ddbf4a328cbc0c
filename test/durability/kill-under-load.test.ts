import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { checkAfterCrash, pointCount } from './check-tracks.ts'
import { errorsLogged, type Installation, openInstallation, TRACKS_ALONE } from './installation.ts'
import { ACTIVE_TRACKS, type LoadMix, startLoad } from './load.ts'
import type { Ledger } from './recorded-track.ts'
import { roundCount, seededRandom } from './seeded-random.ts'

/** Time limit of the first compaction, which needs a thread that starts slowly on a busy machine. */
const MERGES_WITHIN_MS = 20_000

/** Small batches to a few tracks, and finishes, so that each track has chunks to compact almost all the time. */
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
  describe(`a process killed while phones send, on ${database.name}`, () => {
    test('loses nothing acknowledged, stores no partial request, and has every point once, compacted or not', async (t) => {
      const random = seededRandom(t)
      const ledger: Ledger = []
      const installation = await openInstallation(t, database.prepare, TRACKS_ALONE)
      let requests = 0
      let server = await installation.start()

      async function killAndCheck(load: ReturnType<typeof startLoad>, recentFrom: number): Promise<void> {
        await server.stop('SIGKILL')
        await load.ended
        requests += load.requests()
        const errors = errorsLogged(server)
        server = await installation.start()
        assert.deepEqual(errors, [])
        await checkAfterCrash(server, installation, { recent: ledger.slice(recentFrom), ledger, random })
      }

      const rounds = roundCount(1)
      for (let round = 0; round < rounds; round++) {
        const recentFrom = Math.max(0, ledger.length - ACTIVE_TRACKS)
        const mixed = startLoad(server.send, random, ledger)
        // Not a time: a busy machine answers later. From the first answers on, every moment has requests under way.
        await mixed.untilSent(random.between(20, 120))
        await killAndCheck(mixed, recentFrom)

        const merged = startLoad(server.send, random, ledger, { mix: MERGED, batchPoints: [1, 4], activeTracks: 2 })
        await untilMerging(installation)
        await wait(random.between(0, 200))
        await killAndCheck(merged, Math.max(0, ledger.length - ACTIVE_TRACKS))
      }

      t.diagnostic(`${2 * rounds} kills, ${requests} requests, ${ledger.length} tracks, ${pointCount(ledger)} points`)
      assert(pointCount(ledger) > 0)
    })
  })
}

/** Resolves after the next compaction. With this load, compactions follow each other from then on. */
async function untilMerging({ query }: Installation): Promise<void> {
  const before = await mergedChunks(query)
  for (let waitedMs = 0; waitedMs < MERGES_WITHIN_MS; waitedMs += 50) {
    if ((await mergedChunks(query)) !== before) return
    await wait(50)
  }
  throw new Error('Nothing was compacted')
}

/**
 * Reads the times and sizes of compacted chunks. Merging more into a compacted chunk
 * changes these, but not the number of chunks.
 */
async function mergedChunks(query: Installation['query']): Promise<string> {
  return JSON.stringify(await query('select first_ms, count from chunks where merged = 1 order by track_id, first_ms'))
}
