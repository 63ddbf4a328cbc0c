import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { MapFile, MapSettings } from '../../src/maps/schemas.ts'
import { createBrowser } from '../support/browser.ts'
import { makeVectorMap } from '../support/make-map-file.ts'
import { type BytesAnswer, sendBytes } from '../support/send-bytes.ts'
import { startProcess } from '../support/start-process.ts'

const MAP = makeVectorMap()
const PASSWORD = 'a quiet lake at dawn'

describe('a process that is killed', () => {
  test('while a map file arrives stores nothing of it, and keeps one that was accepted', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'killed-map-'))
    const start = () => startProcess({ DATA_DIR: dataDir, SERVICES: 'dashboard' })
    let server = await start()
    t.after(async () => {
      await server.stop('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    })
    const token = /sign-in#token=(\S+)/.exec(server.output().stdout)![1]
    const first = createBrowser(server.url)
    await first.request('POST', '/operator/sign-in-link', { token, password: PASSWORD })
    const { cookie } = first
    const files = async () => {
      const browser = Object.assign(createBrowser(server.url), { cookie })
      return ((await (await browser.request('GET', '/operator/map')).json()) as MapSettings).files
    }

    const drafts = join(dataDir, 'blobs', '.drafts')
    const halves = Promise.withResolvers<void>()
    const broken = upload(server.url, cookie, halfOf(MAP, halves.promise)).catch(() => undefined)
    while (!existsSync(drafts) || readdirSync(drafts).length === 0) await new Promise((done) => setTimeout(done, 20))
    await server.stop('SIGKILL')
    halves.resolve()
    await broken
    server = await start()
    const before = await files()
    const hasMaps = existsSync(join(dataDir, 'blobs', 'maps'))
    const accepted = await upload(server.url, cookie, MAP)
    await server.stop('SIGKILL')
    server = await start()

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
