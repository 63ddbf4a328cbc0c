import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { MapFile, MapSettings } from '../../src/maps/schemas.ts'
import { createBrowser } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { makeVectorMap } from '../support/make-map-file.ts'
import { type BytesAnswer, sendBytes } from '../support/send-bytes.ts'
import { signInFirstOperator } from '../support/sign-in.ts'
import { openInstallation } from './installation.ts'

const MAP = makeVectorMap()

describe('a process that is killed', () => {
  test('while a map file arrives stores nothing of it, and keeps one that was accepted', async (t) => {
    const installation = await openInstallation(t, oneDatabase[0].prepare, { SERVICES: 'dashboard' })
    let server = await installation.start()
    const { cookie } = await signInFirstOperator(server, installation.query)
    const files = async () => {
      const browser = Object.assign(createBrowser(server.url), { cookie })
      return ((await (await browser.request('GET', '/operator/map')).json()) as MapSettings).files
    }

    const drafts = join(installation.settings.DATA_DIR, 'blobs', '.drafts')
    const halves = Promise.withResolvers<void>()
    const broken = upload(server.url, cookie, halfOf(MAP, halves.promise)).catch(() => undefined)
    while (!existsSync(drafts) || readdirSync(drafts).length === 0) await new Promise((done) => setTimeout(done, 20))
    await server.stop('SIGKILL')
    halves.resolve()
    await broken
    server = await installation.start()
    const before = await files()
    const hasMaps = existsSync(join(installation.settings.DATA_DIR, 'blobs', 'maps'))
    const accepted = await upload(server.url, cookie, MAP)
    await server.stop('SIGKILL')
    server = await installation.start()

    assert.deepEqual([before, hasMaps], [[], false])
    assert.equal(accepted.status, 201, accepted.body.toString())
    const { id } = JSON.parse(accepted.body.toString()) as MapFile
    assert.deepEqual(
      (await files()).map((file) => file.id),
      [id],
    )
    const delivered = await sendBytes(`${server.url}/maps/${id}.pmtiles`)
    assert.ok(delivered.body.equals(MAP))
  })
})

function upload(url: string, cookie: string, body: Buffer | AsyncIterable<Buffer>): Promise<BytesAnswer> {
  const headers = { Cookie: cookie, 'Content-Type': 'application/vnd.pmtiles' }
  return sendBytes(`${url}/operator/map/files?name=lake.pmtiles`, { method: 'POST', headers, body })
}

/** Yields the first half of a file, and ends when it is told to. */
async function* halfOf(bytes: Buffer, until: Promise<void>): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, bytes.length / 2)
  await until
}
