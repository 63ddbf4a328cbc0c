import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Route } from 'playwright-core'
import type { Owner } from '../support/databases.ts'
import { announced, openReader, untilTrue } from '../support/open-reader.ts'
import { storePages } from '../support/public-pages.ts'
import { readZipBytes } from '../support/read-zip.ts'
import { assertSound, goOffline, visit } from '../support/visit.ts'

const IMAGES = '**/images/**'
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="800"/>'

describe('the reader without a connection', async () => {
  const reader = await openReader({ after })
  const book = await reader.book(12)

  test('says in the place of a page that it could not be loaded, and loads it once back online', async (t) => {
    const page = await reader.read(t, book, { isFirst: true })
    await goOffline(page)
    await page.keyboard.press('End')

    await notice(page, 12).getByText('Page 12 could not be loaded').waitFor()
    await notice(page, 12).getByText('You are offline. The page will load once you are back online.').waitFor()
    await announced(page, 'Page 12 could not be loaded. You are offline.')
    await assertSound(page)
    await page.context().setOffline(false)

    await hasImage(page, 12)
    await notice(page, 12).waitFor({ state: 'detached' })
    await announced(page, 'Page 12 has loaded')
    await page.locator('#page-12 .words').waitFor({ state: 'attached' })
  })

  test('loads pages passed without a connection when they come into view again', async (t) => {
    const page = await reader.read(t, book, { isFirst: true })
    await goOffline(page)
    for (const number of [6, 9, 12]) {
      await goTo(page, number)
      await notice(page, number).waitFor()
    }
    await page.context().setOffline(false)

    for (const number of [9, 6]) {
      await goTo(page, number)
      await hasImage(page, number)
      await notice(page, number).waitFor({ state: 'detached' })
    }
  })

  test('tells screen readers once that the connection is away, however many pages are affected', async (t) => {
    const page = await reader.read(t, book, { isFirst: true })
    await page.evaluate(`{
      const region = document.querySelector('.reader-announcer')
      window.announcements = []
      new MutationObserver(() => announcements.push(region.textContent)).observe(region, { childList: true })
    }`)
    await goOffline(page)

    await page.mouse.move(600, 500)
    for (let step = 0; step < 8; step++) {
      await page.mouse.wheel(0, 900)
      await page.waitForTimeout(150)
    }
    await announced(page, 'You are offline')
    await page.waitForTimeout(500)

    const said = await page.evaluate<string[]>('announcements')
    assert.equal(said.filter((text) => text.includes('You are offline')).length, 1)
  })

  test('says that the server is busy, tries again by itself, and at once with a button', async (t) => {
    const page = await reader.read(t, book, { isFirst: true })
    const refuse = (route: Route) => route.fulfill({ status: 503, headers: { 'retry-after': '120' } })
    await page.route(IMAGES, refuse)
    await page.keyboard.press('End')
    await notice(page, 12).getByText('The server is busy. Trying again in 120 s.').waitFor()
    await page.unroute(IMAGES, refuse)
    // Later than anything that coming into view, or coming to rest, sets off.
    await page.waitForTimeout(500)

    await notice(page, 12).getByRole('button', { name: 'Try again' }).focus()
    await page.keyboard.press('Enter')

    await hasImage(page, 12)
    // The size of an image is known before its "load" event moves the focus.
    await notice(page, 12).waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.id'), 'page-12')
  })

  test('waits as long as the server asks before it tries again', async (t) => {
    const page = await reader.read(t, book, { isFirst: true })
    let requests = 0
    await page.route(IMAGES, async (route) => {
      if (!/\/\d+-12-/.test(route.request().url())) return route.continue()
      requests++
      // The image, and the request that finds out why it failed.
      await (requests <= 2 ? route.fulfill({ status: 503, headers: { 'retry-after': '2' } }) : route.continue())
    })

    await page.keyboard.press('End')
    await notice(page, 12).getByText('Trying again in 2 s.').waitFor()

    await hasImage(page, 12)
    assert.equal(requests, 3)
  })

  test('says that the document has changed if its pages are gone', async (t) => {
    const page = await reader.read(t, book, { isFirst: true })
    await page.route(IMAGES, (route) => route.fulfill({ status: 410 }))

    await page.keyboard.press('End')

    await notice(page, 12).getByText('The document has been replaced or withdrawn.').waitFor()
    await notice(page, 12).getByRole('button', { name: 'Reload the document' }).waitFor()
  })

  test('says that a page is still being prepared, and shows it when it is ready', async (t) => {
    const version = { status: 'ready' as const, pages_ready: 1 }
    const { slug } = await storePages(reader.service, { pages: [{ text: 'First' }], pageCount: 3, version })
    let isReady = false
    const page = await visit(t, reader.browser, { locale: 'fr' })
    await page.route(IMAGES, async (route) => {
      if (isReady) await route.fulfill({ contentType: 'image/svg+xml', body: PICTURE })
      else await route.fulfill({ status: 503, headers: { 'retry-after': '1' } })
    })
    await page.goto(`${reader.service.url}/p/${slug}`)

    await notice(page, 1).getByText('La page 1 n’est pas encore prête').waitFor()
    await notice(page, 1).getByText('Elle s’affichera ici automatiquement.').waitFor()
    isReady = true

    await hasImage(page, 1)
  })

  test('says why a search failed, and searches again on Enter', async (t) => {
    const page = await reader.read(t, book, { isFirst: true })
    await page.keyboard.press('/')
    const search = page.getByRole('searchbox', { name: 'Search this document' })
    for (const [status, reason] of [
      [429, 'The search failed. Too many requests have come from your network. Try again in 3 s.'],
      [503, 'The search failed. The server is busy. Try again in 3 s.'],
      [500, 'The search failed. Something went wrong on the server.'],
    ] as const) {
      await page.route('**/search?**', (route) => route.fulfill({ status, headers: { 'retry-after': '3' } }))
      await search.fill(`fox ${status}`)
      await page.locator('.search').getByText(reason).waitFor()
      await announced(page, reason)
      await page.unroute('**/search?**')
    }
    await goOffline(page)
    await search.fill('treasure')
    await page.locator('.search').getByText('The search failed. You are offline.').waitFor()
    await page.context().setOffline(false)

    await search.press('Enter')

    await announced(page, 'Match 1 of 2')
  })

  test('says that pages could not be loaded for printing, and prints once they are', async (t) => {
    const page = await reader.read(t, book, { isFirst: true })
    await page.evaluate(
      `window.print = () => { document.body.dataset.printed = document.querySelectorAll('.print-sheets img').length }`,
    )
    await page.keyboard.press('p')
    await page.getByRole('dialog').getByLabel('Whole document').check()
    await goOffline(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click()
    await page
      .getByRole('alert')
      .getByText(/^\d+ pages could not be loaded for printing.$/)
      .waitFor()
    await page.context().setOffline(false)

    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()

    await page.locator('body[data-printed="12"]').waitFor()
  })

  test('offers to try again if a distant part of the document could not be loaded', async (t) => {
    const { slug } = await storePages(reader.service, {
      pages: Array.from({ length: 450 }, () => ({ text: 'A page' })),
    })
    const page = await reader.read(t, `/p/${slug}`)
    await goOffline(page)
    await page.keyboard.press('End')
    await page.getByText('Loading failed. You are offline.').first().waitFor()
    await page.context().setOffline(false)

    await page.getByRole('button', { name: 'Try again' }).last().click()

    await page.locator('#page-450').waitFor()
  })

  test('opens from a folder, with its images, words, contents and search, and asks no server', async (t) => {
    const folder = await unpackOffline(t, 'a-book-of-foxes')
    const page = await visit(t, reader.browser, { isFirst: true, locale: 'fr-FR' })
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).protocol))
    await page.context().setOffline(true)
    await page.goto(`file://${folder}/index.html`)
    await page.getByRole('toolbar').waitFor()

    await hasImage(page, 1)
    await page.locator('#page-1 .words').waitFor({ state: 'attached' })
    await page.keyboard.press('/')
    await page.keyboard.type('treasure')
    await page.getByText('2 matches on 2 pages').first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('#page-5 .hit').first().waitFor({ state: 'attached' })
    await hasImage(page, 5)
    // It is in English like its document, although there is a reader in French.
    assert.equal(await page.locator('.toast').count(), 0)
    assert.deepEqual(
      asked.filter((protocol) => !['file:', 'data:'].includes(protocol)),
      [],
    )
  })

  /** Downloads a publication for offline reading and unpacks it. @returns its folder */
  async function unpackOffline(owner: Owner, slug: string): Promise<string> {
    const root = mkdtempSync(join(tmpdir(), 'offline-'))
    owner.after(() => rmSync(root, { recursive: true }))
    const download = async () => await reader.service.request('GET', `/publications/${slug}/offline`)
    let response = await download()
    for (; response.status === 409; response = await download()) await wait(100)
    for (const [name, bytes] of await readZipBytes(new Uint8Array(await response.arrayBuffer()))) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), bytes)
    }
    return join(root, slug)
  }
})

function notice(page: Page, number: number) {
  return page.locator(`#page-${number} .page-notice`)
}

async function goTo(page: Page, number: number): Promise<void> {
  await page.getByRole('textbox', { name: /^Page/ }).fill(String(number))
  await page.keyboard.press('Enter')
}

async function hasImage(page: Page, number: number): Promise<void> {
  await untilTrue(page, `document.querySelector('#page-${number} picture img').naturalWidth > 0`)
}
