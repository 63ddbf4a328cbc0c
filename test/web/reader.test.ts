import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { announced, madeBook, openReader, pagesOnScreen, untilTrue } from '../support/open-reader.ts'
import { storePages } from '../support/public-pages.ts'
import { answer } from '../support/publish.ts'
import { assertSound, visit } from '../support/visit.ts'

const PAGES = 12

describe('the reader', async () => {
  const reader = await openReader({ after })
  const book = await reader.book(PAGES)

  test('goes to the page entered in the page field', async (t) => {
    const page = await reader.read(t, book)

    await pageField(page).fill('7')
    await pageField(page).press('Enter')

    await page.waitForURL(/#page-7$/)
    assert.equal((await pagesOnScreen(page)).includes(7), true)
    await announced(page, 'Page 7 of 12')
    await assertSound(page)
  })

  test('keeps the address at the current page while scrolling', async (t) => {
    const page = await reader.read(t, book)

    await page.locator('#page-5').scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 300)

    await page.waitForURL(/#page-[456]$/)
  })

  test('opens at the page in the address, or at the page of the last visit', async (t) => {
    const page = await reader.read(t, `${book}#page-9`)
    assert.equal((await pagesOnScreen(page)).includes(9), true)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.waitForURL(/#page-10$/)

    await page.goto('about:blank')
    await page.goto(reader.service.url + book)

    await page.getByText('Continuing from page 10').waitFor()
    assert.equal((await pagesOnScreen(page)).includes(10), true)
    await page.getByRole('button', { name: 'Start from the beginning' }).click()
    await announced(page, 'Page 1 of 12')
  })

  test('renews the addresses of images that end while an unlisted document is read', async (t) => {
    const slug = await reader.publish('Among friends', madeBook(PAGES), 'unlisted')
    const page = await visit(t, reader.browser, { isFirst: true })
    await page.clock.install()
    await page.goto(`${reader.service.url}/p/${slug}`)
    await page.getByRole('toolbar').waitFor()
    const last = page.locator('#page-12')
    const asked = page.waitForRequest(/\/images$/)

    await page.clock.fastForward('04:30')

    await asked
    await untilTrue(page, "document.querySelector('#page-12').dataset.address !== undefined")
    await last.scrollIntoViewIfNeeded()
    await untilTrue(page, "document.querySelector('#page-12 picture img').naturalWidth > 0")
    const address = (await last.getAttribute('data-address'))!
    assert.equal((await last.locator('img').getAttribute('src'))!.startsWith(address), true)
  })

  test('ends within seconds once the link of its reader is revoked, and shows and requests nothing more', async (t) => {
    const slug = await reader.publish('Held back', madeBook(PAGES))
    await answer(await reader.service.request('PATCH', `/publications/${slug}`, { access: 'restricted' }), 200)
    const links = `/publications/${slug}/links`
    const link = await answer<{ id: string; url: string }>(await reader.service.request('POST', links, {}), 201)
    const page = await visit(t, reader.browser, { isFirst: true, locale: 'fr', viewport: { width: 390, height: 780 } })
    await page.clock.install()
    await page.goto(link.url)
    await page.getByRole('toolbar').waitFor()
    await page.clock.runFor(20_000)
    assert.equal(await page.locator('section.page').count(), PAGES)
    assert.equal((await reader.service.request('DELETE', `${links}/${link.id}`)).status, 204)

    await page.clock.runFor(20_000)

    await page.getByRole('alert').getByText('Vous ne pouvez plus lire cette publication').waitFor()
    assert.equal(await page.locator('img, section.page, [role="toolbar"]').count(), 0)
    assert.doesNotMatch(await page.content(), /The quick brown fox/)
    await assertSound(page)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.keyboard.press('End')
    await page.clock.runFor(60_000)
    assert.deepEqual(requests, [])
    await page.getByRole('button', { name: 'Recharger le document' }).click()
    await page.getByText('Publication introuvable').waitFor()
  })

  test('shows thumbnails of all pages', async (t) => {
    const page = await reader.read(t, book)

    await page.getByRole('button', { name: 'Page thumbnails' }).click()
    const list = page.getByRole('list', { name: 'Page thumbnails' })
    await list.getByRole('link', { name: 'Page 1', exact: true }).waitFor()
    await assertSound(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')

    await announced(page, 'Page 4 of 12')
    assert.equal(await list.getByRole('link', { name: 'Page 4' }).getAttribute('aria-current'), 'page')
  })

  test('shows the table of contents with the current entry marked', async (t) => {
    const page = await reader.read(t, book, { viewport: { width: 390, height: 844 } })

    await page.getByRole('button', { name: 'Contents', exact: true }).click()
    await assertSound(page)
    await page.getByRole('link', { name: 'The end' }).click()
    await announced(page, 'Page 12 of 12')

    assert.equal(await page.getByRole('link', { name: 'The end' }).count(), 0)
    await page.keyboard.press('o')
    const current = page.locator('.panel-outline [aria-current]')
    assert.equal(await current.textContent(), 'The end')
    // The heading that is above the middle of the screen, once the reader has scrolled to it.
    await page.keyboard.press('Escape')
    await page.mouse.move(195, 500)
    const currentAfter = async (wheelBy: number) => {
      await page.mouse.wheel(0, wheelBy)
      return await current.textContent()
    }
    await becomes(() => currentAfter(-300), 'The beginning')
    await becomes(() => currentAfter(600), 'over the lazy dog')
  })

  test('keeps bookmarks on the device, and lists them with the contents', async (t) => {
    const page = await reader.read(t, `${book}#page-4`)
    const panel = page.getByRole('region', { name: 'Bookmarks' })
    const toggle = page.getByRole('button', { name: 'Bookmark this page' })
    const sent: string[] = []

    await page.keyboard.press('b')
    await announced(page, 'Page 4 bookmarked')
    await page.keyboard.press('End')
    await page.waitForURL(/#page-12$/)
    page.on('request', (request) => sent.push(request.method()))
    await toggle.click()
    assert.equal(await toggle.getAttribute('aria-pressed'), 'true')
    assert.ok(!sent.includes('POST'), `${sent}`)
    assert.deepEqual(await page.context().cookies(), [])

    await page.reload()
    await page.keyboard.press('t')
    await page.getByRole('link', { name: 'Page 12, bookmarked' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'bookmarked' }).count(), 2)
    await page.keyboard.press('o')
    await panel.getByRole('link', { name: 'Page 12 The end' }).waitFor()
    await assertSound(page)
    await panel.getByRole('link', { name: 'Page 4 The beginning' }).press('Enter')
    await announced(page, 'Page 4 of 12')
    await panel.getByRole('button', { name: 'Remove the bookmark on page 4' }).press('Enter')
    await announced(page, 'Bookmark on page 4 removed')
    assert.equal(await toggle.getAttribute('aria-pressed'), 'false')
    await page.keyboard.press('Enter')

    await panel.getByText('None yet').waitFor()
    assert.equal(await isFocused(panel.getByRole('heading')), true)
  })

  test('follows links within the document and goes back', async (t) => {
    const page = await reader.read(t, book)
    await page.getByRole('button', { name: 'Single page' }).click()

    await page.locator('#page-1 svg a').click()
    await announced(page, 'Page 3 of 12')
    await page.goBack()

    await announced(page, 'Page 1 of 12')
  })

  test('prints a chosen range of pages', async (t) => {
    const page = await reader.read(t, book)
    await page.evaluate(`window.print = () => {
      const printed = document.querySelectorAll('.print-sheets img')
      document.body.dataset.printed = [...printed].map(({ dataset }) => dataset.page).join()
    }`)

    await page.getByRole('button', { name: 'Print' }).click()
    await assertSound(page)
    await page.getByLabel('From page').fill('2')
    await page.getByLabel('To page').fill('4')
    await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click()

    await page.locator('body[data-printed="2,3,4"]').waitFor()
  })

  test('keeps the colours that a reader chooses, and shows pages in their size on paper', async (t) => {
    const page = await reader.read(t, book)
    const dialog = page.getByRole('dialog', { name: 'Display' })
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await ground()

    await page.keyboard.press('d')
    await dialog.getByLabel('Sepia').check()
    await dialog.getByLabel('Dim the pages').check()
    await assertSound(page)
    await dialog.getByRole('button', { name: 'Actual size' }).click()

    // The page is 612 points wide, and an inch on paper has 96 pixels.
    await untilTrue(page, "document.querySelector('#page-1 .sheet').clientWidth === 816")
    await page.getByRole('button', { name: '100%' }).waitFor()
    await page.reload()
    await page.getByRole('toolbar').waitFor()
    const sepia = await ground()
    assert.notEqual(sepia, light)
    const filter = () => page.evaluate<string>("getComputedStyle(document.querySelector('.sheet img')).filter")
    assert.match(await filter(), /0\.8/)
    await page.emulateMedia({ media: 'print' })
    assert.equal(await filter(), 'none')
    await page.emulateMedia({ media: 'screen' })
    await page.keyboard.press('d')
    await dialog.getByLabel('As on this device').check()
    await dialog.getByRole('button', { name: 'Fit to width' }).click()
    assert.equal(await ground(), light)
    await untilTrue(
      page,
      "document.querySelector('#page-1 .sheet').clientWidth === document.documentElement.clientWidth",
    )

    await page.getByRole('button', { name: 'Contents' }).first().focus()
    await page.keyboard.press('d')
    await dialog.getByRole('button', { name: 'Present on the whole screen' }).click()
    await untilTrue(page, "document.querySelector('#reader-bar').getBoundingClientRect().bottom < 10")
    await becomes(() => pagesOnScreen(page), [1])
    await page.keyboard.press('Space')
    await announced(page, 'Page 2 of 12')
  })

  test('works by keyboard and lists the shortcuts', async (t) => {
    const page = await reader.read(t, book)

    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await assertSound(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('v')
    await page.keyboard.press('End')
    await announced(page, 'Page 12 of 12')
    await page.keyboard.press('PageUp')
    await announced(page, 'Page 11 of 12')
    await page.keyboard.press('Home')
    await announced(page, 'Page 1 of 12')
    await page.keyboard.press('t')
    assert.equal(await isFocused(page.getByRole('list').getByRole('link', { name: 'Page 1', exact: true })), true)
    await page.keyboard.press('Escape')

    assert.equal(await isFocused(page.getByRole('button', { name: 'Page thumbnails' })), true)
    await page.keyboard.press('ArrowRight')
    assert.equal(await isFocused(page.getByRole('button', { name: 'Search this document' })), true)
  })

  test('ignores letter keys once they are turned off', async (t) => {
    const page = await reader.read(t, book)
    await page.getByRole('button', { name: 'Help and shortcuts' }).click()
    await page.getByRole('checkbox', { name: 'Use letter keys as shortcuts' }).uncheck()
    await page.keyboard.press('Escape')

    await page.keyboard.press('t')

    assert.equal(await page.getByRole('list', { name: 'Page thumbnails' }).count(), 0)
  })

  test('is in French for French browsers', async (t) => {
    const page = await reader.read(t, book, { locale: 'fr-CH' })

    await page.getByRole('button', { name: 'Une page' }).click()
    await page.getByRole('button', { name: 'Page suivante' }).click()

    await announced(page, 'Page 2 sur 12')
    await page.getByRole('button', { name: 'Aide et raccourcis' }).click()
    await page.getByRole('dialog', { name: 'Raccourcis clavier' }).waitFor()
  })

  test('is in English for browsers in another language, and says so once', async (t) => {
    const page = await reader.read(t, book, { locale: 'de-DE' })
    const said = page.locator('.toast', { hasText: 'not available in German' })

    await said.waitFor()
    await announced(page, 'not available in German')
    await assertSound(page)
    await said.getByRole('button', { name: 'Close' }).click()
    await page.reload()
    await page.locator('#page-1 .words').waitFor({ state: 'attached' })

    assert.equal(await said.count(), 0)
  })

  test('passes the accessibility checks in dark mode and on a narrow screen', async (t) => {
    const dark = await reader.read(t, book, { colorScheme: 'dark' })
    await assertSound(dark)
    await dark.keyboard.press('s')
    await dark.keyboard.press('/')
    await assertSound(dark)

    const narrow = await reader.read(t, book, { viewport: { width: 390, height: 844 } })
    await narrow.getByRole('button', { name: 'More' }).click()
    await assertSound(narrow)
    assert.equal(await narrow.evaluate('document.documentElement.scrollWidth'), 390)
  })

  test('works in a frame', async (t) => {
    const page = await reader.read(t, `${book}/embed`, { viewport: { width: 700, height: 500 } })

    await page.getByRole('button', { name: 'Next page' }).click()

    await announced(page, 'Page 2 of 12')
    await becomes(() => pagesOnScreen(page), [2])
    await assertSound(page)
  })

  test('fills in pages as they are prepared, by server-sent events or by polling', async (t) => {
    const progressEvent = 'event: progress\ndata: {"status":"ready","pages_ready":1,"page_count":1}\n\n'
    for (const answer of [{ contentType: 'text/event-stream', body: progressEvent }, { status: 503 }]) {
      const version = { status: 'processing' as const, pages_ready: 0 }
      const { slug, versionId } = await storePages(reader.service, { pages: [{ text: 'Here it is' }], version })
      const page = await visit(t, reader.browser)
      await page.route('**/events', async (route) => {
        const { db } = reader.service.server.publications!.deps
        await db
          .updateTable('versions')
          .set({ status: 'ready' as const, pages_ready: 1 })
          .where('id', '=', versionId)
          .execute()
        await route.fulfill(answer)
      })

      await page.goto(`${reader.service.url}/p/${slug}`)

      await page.getByRole('status').getByText('1 of 1 page is ready.').waitFor()
      await page.getByText('Here it is').waitFor()
    }
  })

  test('shows no animation if reduced motion is preferred', async (t) => {
    const page = await reader.read(t, book, { reducedMotion: 'reduce' })
    await page.keyboard.press('v')

    await page.keyboard.press('ArrowRight')
    const moving = await page.evaluate('document.getAnimations().length')

    assert.equal(moving, 0)
    await becomes(() => pagesOnScreen(page), [2])
  })

  describe('its toolbar', () => {
    test('has all its buttons on the screen of a phone with text twice as large', async (t) => {
      for (const width of [320, 360, 390]) {
        const page = await reader.read(t, book, { viewport: { width, height: 800 } })
        await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
        await page.waitForTimeout(300)

        for (const name of [
          'Contents',
          'Page thumbnails',
          'Search this document',
          'Previous page',
          'Next page',
          'More',
        ]) {
          const box = await page.getByRole('button', { name, exact: true }).boundingBox()
          assert.ok(
            box !== null && box.x >= 0 && box.x + box.width <= width,
            `${name} at ${width}: ${JSON.stringify(box)}`,
          )
          assert.ok(box.width >= 24 && box.height >= 24)
        }
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
        await page.getByRole('button', { name: 'More' }).click()
        const menu = (await page.locator('.more').boundingBox())!
        const bar = (await page.getByRole('toolbar').boundingBox())!
        assert.ok(menu.x >= 0 && menu.x + menu.width <= width && menu.y >= bar.y + bar.height)
      }
    })

    test('pushes the pages down where it needs a second row', async (t) => {
      const page = await reader.read(t, book, { viewport: { width: 320, height: 700 } })
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
      await page.keyboard.press('v')
      await untilTrue(
        page,
        `document.querySelector('main').getBoundingClientRect().top >= document.getElementById('reader-bar').offsetHeight - 1`,
      )
    })

    test('leaves contents that are always open without a button that says they are collapsed', async (t) => {
      const page = await reader.read(t, book)
      const contents = page.getByRole('navigation', { name: 'Contents' })

      const tree = await contents.ariaSnapshot()
      assert.match(tree, /link "The end"/)
      assert.doesNotMatch(tree, /expanded|collapsed|button/)
      const narrow = await reader.read(t, book, { viewport: { width: 390, height: 844 } })
      const button = narrow.getByRole('button', { name: 'Contents', exact: true })
      assert.equal(await button.getAttribute('aria-expanded'), 'false')
      await button.click()
      assert.equal(await button.getAttribute('aria-expanded'), 'true')
    })
  })
})

function pageField(page: Page) {
  return page.getByRole('textbox', { name: 'Page (of 12)' })
}

async function isFocused(found: Locator): Promise<boolean> {
  return await found.evaluate((element) => element.matches(':focus'))
}
