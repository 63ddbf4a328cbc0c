import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { linesOf, makeScan } from '../support/make-scan.ts'
import { startProcess } from '../support/start-process.ts'

type Answer = {
  uploadUrl: string
  storageKey: string
  pdfPath: string
  slug: string
  pages_recognized: number
  text: string
}

const PAGES = ['The first lantern.', 'The second harbour.', 'The third market.']

describe('a process that is killed while it recognises text', () => {
  test('keeps the pages that it has recognised, and goes on with the others', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'killed-recognition-'))
    const start = () => startProcess({ DATA_DIR: dataDir, SERVICES: 'publications', OCR: 'on' })
    let server = await start()
    t.after(async () => {
      await server.stop('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    })
    const { apiKey } = server
    const ask = async (method: string, path: string, json?: unknown) => {
      const headers = { 'X-API-Key': apiKey!, 'Content-Type': 'application/json' }
      const body = json === undefined ? undefined : JSON.stringify(json)
      return (await (await fetch(server.url + path, { method, headers, body })).json()) as Answer
    }
    const pdf = await makeScan(
      t,
      PAGES.map((text) => linesOf(text, text, text)),
    )
    const { uploadUrl, storageKey, pdfPath } = await ask('POST', '/publications/upload-url', { type: 'pdf' })
    const { pathname, search } = new URL(uploadUrl)
    const headers = { 'Content-Type': 'application/pdf' }
    await fetch(server.url + pathname + search, { method: 'PUT', headers, body: new Uint8Array(pdf) })
    const creation = { title: 'A scan', storageKey, pdfPath, sourceType: 'pdf' }
    const { slug } = await ask('POST', '/publications', creation)
    const untilRecognized = async (pages: number) => {
      while ((await ask('GET', `/publications/${slug}`)).pages_recognized < pages) await wait(20)
    }

    await untilRecognized(1)
    await server.stop('SIGKILL')
    server = await start()
    await untilRecognized(PAGES.length)

    for (const [at, text] of PAGES.entries()) {
      const page = await ask('GET', `/publications/${slug}/pages/${at + 1}`)
      assert.equal(page.text.replace(/\s+/g, ' '), `${text} ${text} ${text}`)
    }
    assert.equal((await ask('GET', `/publications/${slug}`)).pages_recognized, PAGES.length)
  })
})
