import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { build, type InlineConfig } from 'vite'
import { databases } from '../support/databases.ts'
import { openBrowser } from '../support/open-browser.ts'
import { startService } from '../support/start-service.ts'
import { goOffline } from '../support/visit.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = `${ROOT}clients/typescript/src/`

describe('The client in a browser', async () => {
  const browser = await openBrowser({ after })
  const service = await startService({ after }, databases[0], { services: ['tracks'] })
  const files = new Map<string, { type: string; content: string | Uint8Array }>()
  const pages = createServer((request, response) => {
    const file = files.get(new URL(request.url!, 'http://localhost').pathname)
    response
      .writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' })
      .end(file?.content)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  after(() => pages.close())
  const address = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`

  async function serve(at: string, config: InlineConfig): Promise<void> {
    const result = await build({
      configFile: false,
      logLevel: 'silent',
      base: './',
      resolve: {
        alias: [
          { find: /^@trackpress\/client$/, replacement: `${SOURCES}track-queue.ts` },
          { find: /^@trackpress\/client\/(.*-storage)$/, replacement: `${SOURCES}storage/$1.ts` },
        ],
      },
      ...config,
      build: { write: false, target: 'es2022', ...config.build },
    })
    const { output } = result as unknown as { output: { fileName: string; code?: string; source?: string }[] }
    for (const { fileName, code, source } of output) {
      const type = fileName.endsWith('.html') ? 'text/html' : 'text/javascript'
      files.set(`${at}${fileName}`, { type, content: code ?? source ?? '' })
    }
  }

  async function tracks(): Promise<{ id: string; state: string; title: string; points_count: number }[]> {
    const list = await service.answer<{ tracks: { id: string; state: string; title: string; points_count: number }[] }>(
      200,
      'GET',
      '/tracks',
    )
    return list.tracks
  }

  test('IndexedDB keeps the rules of a storage, also between two pages', async () => {
    await serve('/rules/', {
      root: ROOT,
      build: {
        rollupOptions: { input: `${ROOT}test/client/storage-rules-page.ts`, output: { entryFileNames: 'rules.js' } },
      },
    })
    files.set('/rules/', { type: 'text/html', content: '<script type="module" src="rules.js"></script>' })
    const page = await browser.newPage()
    await page.goto(`${address}/rules/`)

    const faults = await page.waitForFunction(() => (globalThis as { faults?: string[] }).faults)

    assert.deepEqual(await faults.jsonValue(), [])
    await page.close()
  })

  test('the page of the example records offline, through a reload, and from one tab at a time', async () => {
    await serve('/record/', { root: `${ROOT}clients/typescript/examples/web` })
    const context = await browser.newContext({ permissions: ['geolocation'] })
    const page = await context.newPage()
    const status = page.getByRole('status')
    let moved = 0
    const move = async () => {
      moved++
      await context.setGeolocation({ latitude: 45 + moved / 1000, longitude: 6.87, accuracy: 5 })
    }
    await move()
    await page.goto(`${address}/record/index.html`)
    await page.getByLabel('Server').fill(service.url)
    await page.getByLabel('App token').fill('trk_wrong')
    await page.getByRole('button', { name: 'Start recording' }).click()
    await status.getByText('The server does not accept the token').waitFor()

    await goOffline(page)
    for (let i = 0; i < 3; i++) {
      await move()
      await status.getByText(`${moved + 1} to send`).waitFor()
    }
    await context.setOffline(false)
    await reloadWithToken(page, service.token)
    await status.getByText('Recording. Everything is sent.').waitFor()
    const other = await openTab(context)
    await move()
    await page.getByRole('button', { name: 'Finish' }).click()
    await status.getByText('Not recording. Everything is sent.').waitFor()

    const [track, ...others] = await tracks()
    assert.deepEqual(others, [])
    assert.equal(track.state, 'stopped')
    assert.equal(track.title, 'Recorded by a page')
    // Each tab watches the position, with times of its own. Nothing that either has seen is missing.
    assert.ok(track.points_count >= moved, `${track.points_count} points of ${moved} positions`)
    await other.close()
    await context.close()
  })

  async function reloadWithToken(page: Page, token: string): Promise<void> {
    await page.evaluate((text) => localStorage.setItem('token', text), token)
    await page.reload()
  }

  async function openTab(context: BrowserContext): Promise<Page> {
    const tab = await context.newPage()
    await tab.goto(`${address}/record/index.html`)
    await tab.getByRole('button', { name: 'Finish' }).waitFor()
    return tab
  }
})
