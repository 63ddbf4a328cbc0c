import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { zipOf } from '../support/image-sources.ts'
import { readZipBytes } from '../support/read-zip.ts'
import { ADMIN, runProgram, SHORT_LIVED } from '../support/run-program.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { startProcess } from '../support/start-process.ts'

/** Pictures of noise, which no file format makes smaller: no buffer on the way holds the archive of all. */
const PAGES = 6
const SIDE_PX = 1_500

describe('a process that is killed while it exports a publication', () => {
  test('leaves nothing that could be taken for the whole, and exports it when asked again', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'killed-export-'))
    const [dataDir, scratch] = [join(folder, 'data'), join(folder, 'scratch')]
    mkdirSync(scratch)
    const settings = { DATA_DIR: dataDir, SERVICES: 'publications', TMPDIR: scratch }
    let server = await startProcess(settings)
    t.after(async () => {
      await server.stop('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    })
    const headers = { 'X-API-Key': server.apiKey!, 'Content-Type': 'application/json' }
    const ask = async (method: string, path: string, json?: unknown) => {
      const response = await fetch(server.url + path, {
        method,
        headers,
        body: json === undefined ? null : JSON.stringify(json),
      })
      assert.ok(response.ok, `${path}: ${response.status}`)
      return (await response.json()) as Record<string, unknown>
    }
    const slug = await publishNoise(ask, server.url)
    const offline = () => fetch(`${server.url}/publications/${slug}/offline`, { headers })
    // Images in further sizes follow the first ones.
    for (let status = 409; status !== 200; await wait(20)) {
      const answer = await offline()
      status = answer.status
      await answer.body!.cancel()
    }
    const file = join(folder, 'book.zip')
    const admin = ['publications', 'export', slug, file]

    const { PATH, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, ...settings }
    const command = spawn(process.execPath, [...SHORT_LIVED, ADMIN, ...admin], { env })
    while (command.exitCode === null && sizeOf(`${file}.unfinished`) === 0) await wait(1)
    const exited = once(command, 'exit')
    assert.ok(command.kill('SIGKILL'), 'it was over before')
    await exited
    assert.ok(!existsSync(file))
    const download = (await offline()).body!.getReader()
    await download.read()
    await server.stop('SIGKILL')
    await assert.rejects(async () => {
      while (!(await download.read()).done);
    })
    server = await startProcess(settings)

    const again = await runProgram(ADMIN, settings, admin)
    assert.equal(again.exitCode, 0, again.stderr)
    assert.ok(!existsSync(`${file}.unfinished`))
    for (const archive of [readFileSync(file), Buffer.from(await (await offline()).arrayBuffer())]) {
      const names = [...(await readZipBytes(archive)).keys()]
      for (const name of ['index.html', 'images/6/1200.webp', 'document.pdf'])
        assert.ok(names.includes(`${slug}/${name}`), `${names}`)
    }
    assert.deepEqual(readdirSync(scratch), [])
  })
})

type Ask = (method: string, path: string, json?: unknown) => Promise<Record<string, unknown>>

/** Publishes the pictures, and waits until they are rendered. @returns the slug */
async function publishNoise(ask: Ask, url: string): Promise<string> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const picture = await sharp({ create: { width: SIDE_PX, height: SIDE_PX, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 95 })
    .toBuffer()
  const body = await zipOf(Object.fromEntries(Array.from({ length: PAGES }, (_, at) => [`${at}.jpg`, picture])))
  const { uploadUrl, storageKey, pdfPath } = await ask('POST', '/publications/upload-url', { type: 'images' })
  const { pathname, search } = new URL(String(uploadUrl))
  const sent = await sendBytes(url + pathname + search, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/zip' },
    body,
  })
  assert.equal(sent.status, 200, sent.body.toString())
  const creation = { title: 'Noise', storageKey, pdfPath, sourceType: 'images' }
  const { slug } = await ask('POST', '/publications', creation)
  while ((await ask('GET', `/publications/${slug}`)).pages_ready !== PAGES) await wait(50)
  return String(slug)
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
