import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { zipOf } from '../support/image-sources.ts'
import { linesOf, scanPages } from '../support/make-scan.ts'
import { openMadePdf } from '../support/open-made-pdf.ts'
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
  test('keeps the pages that it has recognised, and goes on with the others and with the text of the PDF', async (t) => {
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
    const scans = await scanPages(
      t,
      PAGES.map((text) => linesOf(text, text, text)),
    )
    const zip = await zipOf(Object.fromEntries(scans.map(({ jpeg }, at) => [`${at + 1}.jpg`, jpeg])))
    const { uploadUrl, storageKey, pdfPath } = await ask('POST', '/publications/upload-url', { type: 'images' })
    const { pathname, search } = new URL(uploadUrl)
    const headers = { 'Content-Type': 'application/zip' }
    await fetch(server.url + pathname + search, { method: 'PUT', headers, body: new Uint8Array(zip) })
    const creation = { title: 'A scan', storageKey, pdfPath, sourceType: 'images' }
    const { slug } = await ask('POST', '/publications', creation)
    const untilRecognized = async (pages: number) => {
      while ((await ask('GET', `/publications/${slug}`)).pages_recognized < pages) await wait(20)
    }
    const download = async () =>
      Buffer.from(await (await fetch(`${server.url}/publications/${slug}/download`)).arrayBuffer())
    const file = await download()

    await untilRecognized(1)
    await server.stop('SIGKILL')
    server = await start()
    await untilRecognized(PAGES.length)
    // The text is added to the PDF from now on.
    await server.stop('SIGKILL')
    server = await start()
    let pdf = file
    for (; pdf.length === file.length; pdf = await download()) await wait(20)

    assert.deepEqual(pdf.subarray(0, file.length), file)
    assert.equal((await openMadePdf(t, pdf)).pageCount, PAGES.length)
    for (const [at, text] of PAGES.entries()) {
      const page = await ask('GET', `/publications/${slug}/pages/${at + 1}`)
      assert.equal(page.text.replace(/\s+/g, ' '), `${text} ${text} ${text}`)
    }
    assert.equal((await ask('GET', `/publications/${slug}`)).pages_recognized, PAGES.length)
  })
})
