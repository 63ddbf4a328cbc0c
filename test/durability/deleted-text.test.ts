import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { untilRendered, uploadPdf } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

/** More than the time for which the rows of a deleted publication are kept. */
const LATER_MS = 3_600_000
const WORD = 'Xylophagous Quibble'
/** The audit log keeps the names of operators. */
const OPERATOR = 'Zymurgical Operator'

for (const database of databases.filter(({ name }) => name === 'SQLite')) {
  describe('deleted text', () => {
    test('is in no file of the data folder after the next upkeep', async (t) => {
      const clock = { nowMs: Date.now() }
      let dataDir = ''
      const open: typeof database.open = async (owner) => {
        const address = await database.open(owner)
        dataDir = address.dataDir
        return address
      }
      const service = await startService(t, { ...database, prepare: open }, { signedIn: true, now: () => clock.nowMs })
      const { server, answer, request } = service
      const { tracks, publications, operator } = server
      const filesWith = (text: string) =>
        globSync('**', { cwd: dataDir })
          .map((name) => join(dataDir, name))
          .filter((file) => statSync(file).isFile() && readFileSync(file).includes(text))

      const key = { 'Idempotency-Key': 'once' }
      const created = await request('POST', '/tracks', { device_track_id: WORD, title: WORD }, key)
      const { id: trackId } = (await created.json()) as { id: string }
      const upload = await uploadPdf(service, { path: `${WORD.replace(' ', '-')}.pdf` })
      const published = await request('POST', '/publications', { ...upload, title: WORD }, key)
      const { slug } = (await published.json()) as { slug: string }
      await untilRendered(service, slug)
      const { operator: other } = {
        operator: await answer<{ id: string }>(201, 'POST', '/operator/operators', { name: OPERATOR, role: 'viewer' }),
      }
      const before = [...filesWith(WORD), ...filesWith(OPERATOR)]

      assert.equal((await service.asManager('DELETE', `/tracks/${trackId}`)).status, 204)
      await answer(204, 'DELETE', `/publications/${slug}`)
      await answer(204, 'DELETE', `/operator/operators/${other.id}`)
      clock.nowMs += LATER_MS
      await publications!.deps.deletionWorker.sweep()
      for (const each of [tracks, publications, operator]) await each!.deps.database.maintain()

      assert.ok(before.length >= 3, before.join())
      assert.deepEqual(filesWith(WORD), [])
      assert.deepEqual(filesWith(WORD.replace(' ', '-')), [])
      assert.deepEqual(filesWith(OPERATOR), [join(dataDir, 'operator.sqlite')])
    })
  })
}
