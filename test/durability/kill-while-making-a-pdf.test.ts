import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { plainPicture, zipOf } from '../support/image-sources.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { startProcess } from '../support/start-process.ts'

/** Pages that have to be encoded anew, which takes seconds. */
const PAGES = 12

describe('a process that is killed while it makes a PDF of pictures', () => {
  test('leaves nothing of it, and the same ticket takes the file again', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'killed-pictures-'))
    const scratch = join(dataDir, 'scratch')
    mkdirSync(scratch)
    const start = () => startProcess({ DATA_DIR: dataDir, SERVICES: 'publications', TMPDIR: scratch })
    let server = await start()
    t.after(async () => {
      await server.stop('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    })
    const { apiKey } = server
    const ask = async (method: string, path: string, json?: unknown) => {
      const headers = { 'X-API-Key': apiKey!, 'Content-Type': 'application/json' }
      const body = json === undefined ? undefined : JSON.stringify(json)
      const response = await fetch(server.url + path, { method, headers, body })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const picture = await plainPicture('#336699', { width: 3_000, height: 3_000 }).webp().toBuffer()
    const file = await zipOf(Object.fromEntries(Array.from({ length: PAGES }, (_, at) => [`${at}.webp`, picture])))
    const ticket = (await ask('POST', '/publications/upload-url', { type: 'images' })).body
    const { pathname, search } = new URL(String(ticket.uploadUrl))
    const upload = () => {
      const headers = { 'Content-Type': 'application/zip' }
      return sendBytes(server.url + pathname + search, { method: 'PUT', headers, body: file })
    }
    const creation = { title: 'Pages', storageKey: ticket.storageKey, pdfPath: ticket.pdfPath, sourceType: 'images' }

    let isOver = false
    const broken = upload()
      .then(
        ({ status }) => status,
        () => undefined,
      )
      .finally(() => (isOver = true))
    // The received file, and the beginning of the PDF.
    while (!isOver && filesIn(scratch).filter(hasBytes).length < 2) await wait(10)
    await server.stop('SIGKILL')
    const answered = await broken
    assert.equal(answered, undefined)
    server = await start()

    while (filesIn(scratch).length > 0) await wait(20)
    assert.deepEqual(filesIn(join(dataDir, 'blobs')), [])
    const early = await ask('POST', '/publications', creation)
    assert.ok(early.status >= 400 && early.status < 500, JSON.stringify(early))
    const again = await upload()
    assert.equal(again.status, 200, again.body.toString())
    const created = await ask('POST', '/publications', creation)
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const { page_count } = (await ask('GET', `/publications/${created.body.slug}`)).body
    assert.equal(page_count, PAGES)
    assert.deepEqual(filesIn(scratch), [])
  })
})

function hasBytes(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Returns the paths of all files in a folder. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}
