import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { fileBlobs, s3Blobs } from '../support/blob-stores.ts'
import { databases } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { startTcpProxy, throughProxy } from '../support/tcp-proxy.ts'
import { uploadByTus } from '../support/tus-upload.ts'
import { largePdf, type WireTicket } from '../support/upload-requests.ts'
import { errorsLogged, openInstallation } from './installation.ts'
import { seededRandom } from './seeded-random.ts'

/** Of several parts of a bucket. */
const FILE = largePdf(17_000_011)
/** Kills of the server, and lines that break. */
const BLOWS = 4

for (const database of databases) {
  const blobs = database.name === 'SQLite' ? fileBlobs : s3Blobs
  describe(`a process killed while a file arrives by tus, on ${database.name} and ${blobs.name}`, () => {
    test('goes on where it has synced, and stores the right bytes', async (t) => {
      const random = seededRandom(t)
      const { url } = await blobs.open(t)
      const port = String(await freePort())
      const settings = { SERVICES: 'publications', BLOBS_URL: url, PORT: port }
      const installation = await openInstallation(t, database.prepare, settings)
      let server = await installation.start()
      const proxy = await startTcpProxy(t, new URL(server.url))
      const ask = async (method: string, path: string, json?: object) => {
        const headers = { 'X-API-Key': server.apiKey, 'Content-Type': 'application/json' }
        const response = await fetch(server.url + path, { method, headers, body: json && JSON.stringify(json) })
        return (await response.json()) as unknown
      }
      const ticket = (await ask('POST', '/publications/upload-url', { type: 'pdf' })) as WireTicket
      const blows = Array.from({ length: BLOWS }, (_, at) => (at === 0 || random.chance(0.5) ? 'kill' : 'cut'))

      let isArmed = false
      let restarted = Promise.resolve()
      const offsets = await uploadByTus(throughProxy(ticket.uploadUrl, proxy), FILE, () => {
        const blow = isArmed ? undefined : blows.pop()
        if (blow === undefined) return
        isArmed = true
        void proxy.closeAfter(random.between(200_000, 5_000_000)).then(() => {
          isArmed = false
          if (blow === 'cut') return
          // Another one may come while the server is being started.
          restarted = restarted.then(async () => {
            await server.stop('SIGKILL')
            server = await installation.start()
          })
        })
      })
      await restarted

      assert.equal(blows.length, 0, `requests at ${offsets}`)
      assert.deepEqual(
        offsets,
        offsets.toSorted((a, b) => a - b),
      )
      const { storageKey, pdfPath } = ticket
      const made = { title: 'Arrived', sourceType: 'pdf', storageKey, pdfPath }
      const { slug } = (await ask('POST', '/publications', made)) as { slug: string }
      const { versions } = (await ask('GET', `/publications/${slug}/versions`)) as { versions: { sha256: string }[] }
      assert.equal(versions[0].sha256, createHash('sha256').update(FILE).digest('hex'))
      assert.deepEqual(errorsLogged(server), [])
    })
  })
}
