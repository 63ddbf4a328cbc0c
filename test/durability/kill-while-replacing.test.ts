import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileBlobs, s3Blobs } from '../support/blob-stores.ts'
import { databases } from '../support/databases.ts'
import { checkDelivery, waitUntilReady } from './check-publications.ts'
import { errorsLogged, openInstallation } from './installation.ts'
import { makeDocument, type PublishedDocument } from './published-document.ts'
import { ask, expectJson, type PublishingTarget, publish, uploadWithTicket } from './publishing-load.ts'
import { roundCount, seededRandom } from './seeded-random.ts'

/** Publications whose files are replaced at the same time. */
const LANES = 2
const CHANGES_BEFORE_A_KILL = 6

type Version = { id: string; sha256: string; is_latest: boolean }
/** A publication with all its files. `latest` is acknowledged, and `next` was sent without a response. */
type Lane = { slug: string; files: PublishedDocument[]; latest: PublishedDocument; next?: PublishedDocument }

for (const database of databases) {
  const blobs = database.name === 'SQLite' ? fileBlobs : s3Blobs
  describe(`a process killed while files are replaced, on ${database.name} and ${blobs.name}`, () => {
    test('leaves each publication with one whole file, and every version to go back to', async (t) => {
      const random = seededRandom(t)
      const { url } = await blobs.open(t)
      const settings = { SERVICES: 'publications', BLOBS_URL: url, PUBLICATIONS_RATE_LIMIT: '0' }
      const installation = await openInstallation(t, database.prepare, settings)
      let server = await installation.start()
      const lanes = await Promise.all(Array.from({ length: LANES }, begin))
      let changes = 0

      async function begin(): Promise<Lane> {
        const document = makeDocument(random)
        assert(await publish(server, document))
        return { slug: document.slug!, files: [document], latest: document }
      }

      /** Replaces the file of a publication. Returns false if the server is gone. */
      async function replace(lane: Lane): Promise<boolean> {
        const document = makeDocument(random)
        if (!(await uploadWithTicket(server, document))) return false
        const { storageKey, pdfPath } = document.ticket!
        lane.files.push(document)
        return await change(lane, document, ['PUT', `/publications/${lane.slug}/file`, { storageKey, pdfPath }])
      }

      async function goBack(lane: Lane): Promise<boolean> {
        const listed = await versionsOf(server, lane.slug)
        if (listed === undefined) return false
        const { id, sha256: wanted } = random.pick(listed.filter(({ is_latest }) => !is_latest))
        const document = lane.files.find((file) => file.sha256 === wanted)!
        return await change(lane, document, ['POST', `/publications/${lane.slug}/versions/${id}/restore`])
      }

      async function change(
        lane: Lane,
        next: PublishedDocument,
        [method, path, json]: [method: string, path: string, json?: object],
      ): Promise<boolean> {
        lane.next = next
        const answer = await ask(server, method, path, json)
        if (answer === undefined) return false
        expectJson(answer, [200])
        lane.latest = next
        delete lane.next
        changes++
        return true
      }

      async function work(lane: Lane): Promise<void> {
        while ((await replace(lane)) && (await replace(lane)) && (await goBack(lane)));
      }

      for (let round = 0; round < roundCount(1); round++) {
        changes = 0
        let isOver = false
        const working = Promise.all(lanes.map(work)).finally(() => {
          isOver = true
        })
        while (changes < CHANGES_BEFORE_A_KILL && !isOver) await wait(5)
        await server.stop('SIGKILL')
        await working
        const errors = errorsLogged(server)
        server = await installation.start()

        assert.deepEqual(errors, [])
        assert(changes >= CHANGES_BEFORE_A_KILL)
        await waitUntilReady(server)
        for (const lane of lanes) await checkLane(server, lane)
      }
    })
  })
}

/** Checks that a publication has its acknowledged or its pending file, and that every former one comes back whole. */
async function checkLane(server: PublishingTarget, lane: Lane): Promise<void> {
  const { slug, files, latest, next } = lane
  const versions = (await versionsOf(server, slug))!
  const found = versions.find(({ is_latest }) => is_latest)!.sha256
  lane.latest = [latest, next].find((file) => file?.sha256 === found)!
  assert(lane.latest, 'neither the acknowledged nor the pending file')
  const isThere = ({ sha256: hash }: PublishedDocument) => versions.some((version) => version.sha256 === hash)
  // A file whose replacing was not acknowledged may be no version.
  lane.files = files.filter((file) => file !== next || isThere(file))
  delete lane.next
  assert.deepEqual(versions.map((version) => version.sha256).sort(), lane.files.map((file) => file.sha256).sort())
  await checkDelivery(server, slug, lane.latest)
  for (const { id, sha256: hash } of versions) {
    expectJson((await ask(server, 'POST', `/publications/${slug}/versions/${id}/restore`))!, [200])
    await waitUntilReady(server)
    lane.latest = lane.files.find((file) => file.sha256 === hash)!
    await checkDelivery(server, slug, lane.latest)
  }
}

/** Returns the versions of a publication; undefined if the server is gone. */
async function versionsOf(server: PublishingTarget, slug: string): Promise<Version[] | undefined> {
  const answer = await ask(server, 'GET', `/publications/${slug}/versions`)
  return answer && (expectJson(answer, [200]) as { versions: Version[] }).versions
}
