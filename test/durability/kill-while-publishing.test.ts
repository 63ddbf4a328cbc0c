import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileBlobs, s3Blobs } from '../support/blob-stores.ts'
import { databases } from '../support/databases.ts'
import { checkPublications } from './check-publications.ts'
import { errorsLogged, openInstallation } from './installation.ts'
import type { PublishedDocument } from './published-document.ts'
import { startPublishing } from './publishing-load.ts'
import { roundCount, seededRandom } from './seeded-random.ts'

for (const database of databases) {
  const blobs = database.name === 'SQLite' ? fileBlobs : s3Blobs
  describe(`a process killed while publishing, on ${database.name} and ${blobs.name}`, () => {
    test('loses nothing acknowledged, completes its work, and delivers nothing partial', async (t) => {
      const random = seededRandom(t)
      const { url } = await blobs.open(t)
      const installation = await openInstallation(t, database.prepare, {
        SERVICES: 'publications',
        BLOBS_URL: url,
        PUBLICATIONS_RATE_LIMIT: '0',
      })
      const rounds = roundCount(1)
      const ledger: PublishedDocument[] = []
      let server = await installation.start()

      for (let round = 0; round < rounds; round++) {
        const load = startPublishing(server, random, ledger)
        const enough = acknowledgedOf(ledger) + random.between(1, 12)
        while (acknowledgedOf(ledger) < enough) await wait(5)
        await server.stop('SIGKILL')
        await load.ended
        const errors = errorsLogged(server)
        server = await installation.start()

        assert.deepEqual(errors, [])
        // A ticket's address contains the port of its process, so the next process must use the same port.
        for (const { ticket } of ledger)
          if (ticket !== undefined) ticket.uploadUrl = moved(ticket.uploadUrl, server.url)
        await checkPublications(server, ledger)
      }

      t.diagnostic(`${rounds} kills, ${ledger.length} documents`)
      assert(ledger.length > 0)
    })
  })
}

/** Counts uploads and publications, so that a kill meets either. */
function acknowledgedOf(ledger: PublishedDocument[]): number {
  const steps = ledger.flatMap(({ upload, creation }) => [upload, creation])
  return steps.filter((step) => step === 'acknowledged').length
}

function moved(address: string, url: string): string {
  return address.replace(/^https?:\/\/[^/]+/, url)
}
