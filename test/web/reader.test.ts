import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import type { Frame, Locator, Page } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { announced, madeBook, openReader, untilTrue } from '../support/open-reader.ts'
import { storePages } from '../support/public-pages.ts'
import { answer } from '../support/publish.ts'
import { assertSound, visit } from '../support/visit.ts'

const PAGES = 12

describe('the reader', async () => {
  const reader = await openReader({ after })
  const book = `/p/${await reader.publish('A book of foxes', madeBook(PAGES))}`
  const arabic = `/p/${await reader.publish('From right to left', madeBook(4, { catalog: '/Lang (ar)' }))}`

  test('goes to the page entered in the page field', async (t) => {
    const page = await reader.read(t, book)

    await pageField(page).fill('7')
    await pageField(page).press('Enter')

    await page.waitForURL(/#page-7$/)
    assert.equal(await isOnScreen(page, 7), true)
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
    assert.equal(await isOnScreen(page, 9), true)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.waitForURL(/#page-10$/)

    await page.goto('about:blank')
    await page.goto(reader.service.url + book)

    await page.getByText('Continuing from page 10').waitFor()
    assert.equal(await isOnScreen(page, 10), true)
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

  test('styles no other pages anew as it turns one', async (t) => {
    const page = await reader.read(t, book)
    await page.keyboard.press('v')
    await page.locator('.page.shown').waitFor()
    await page.keyboard.press('ArrowRight')
    await announced(page, `Page 2 of ${PAGES}`)
    const session = await page.context().newCDPSession(page)
    const styled: number[] = []
    session.on('Tracing.dataCollected', ({ value }) => {
      for (const { name, args } of value as unknown as { name: string; args: { elementCount?: number } }[])
        if (name === 'UpdateLayoutTree') styled.push(args.elementCount ?? 0)
    })
    await session.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } })

    await page.keyboard.press('ArrowRight')
    await announced(page, `Page 3 of ${PAGES}`)
    await page.waitForTimeout(500)

    const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
    await session.send('Tracing.end')
    await ended
    assert.ok(styled.length > 0)
    assert.ok(Math.max(...styled) < PAGES, styled.join())
    // A page that is still sliding in does not take a key for scrolling across.
    await page.evaluate(`document.querySelector('.page.shown').style.transform = 'translateX(28px)'`)
    await page.keyboard.press('ArrowRight')
    await announced(page, `Page 4 of ${PAGES}`)
  })

  test('shows one page or two side by side, and turns them', async (t) => {
    const page = await reader.read(t, book)

    await page.getByRole('button', { name: 'Single page' }).click()
    await page.getByRole('button', { name: 'Next page' }).click()
    await announced(page, 'Page 2 of 12')
    await becomes(() => pagesOnScreen(page), [2])
    await page.getByRole('button', { name: 'Two pages' }).click()
    await page.keyboard.press('ArrowRight')
    await announced(page, 'Pages 4 and 5 of 12')

    await becomes(() => pagesOnScreen(page), [4, 5])
    const [left, right] = await Promise.all([4, 5].map((number) => sheet(page, number).boundingBox()))
    assert.ok(left!.x + left!.width <= right!.x + 1 && left!.y === right!.y)
    assert.equal(await page.getByRole('button', { name: 'Two pages' }).getAttribute('aria-pressed'), 'true')
    await assertSound(page)
  })

  test('turns the pages of an Arabic document from left to right', async (t) => {
    const page = await reader.read(t, arabic)

    await page.keyboard.press('s')
    await page.keyboard.press('ArrowLeft')
    await announced(page, 'Pages 2 and 3 of 4')

    const [second, third] = await Promise.all([2, 3].map((number) => sheet(page, number).boundingBox()))
    assert.ok(third!.x < second!.x)
    await page.keyboard.press('ArrowRight')
    await announced(page, 'Page 1 of 4')
    await touch(page, [[{ x: 10, y: 300 }]])
    await announced(page, 'Pages 2 and 3 of 4')
  })

  test('zooms with keys and buttons, and loads a sharper image', async (t) => {
    const page = await reader.read(t, book)
    await page.keyboard.press('v')
    const before = await sheet(page, 1).boundingBox()
    const fine = page.waitForResponse((response) => response.url().endsWith('/2400.webp'))

    for (let step = 0; step < 5; step++) await page.keyboard.press('+')
    await fine

    const after = await sheet(page, 1).boundingBox()
    assert.ok(after!.width > 3 * before!.width)
    await page.locator('#page-1 .sharp.ready').waitFor()
    await page.getByRole('button', { name: 'Fit to page' }).click()
    await becomes(async () => (await sheet(page, 1).boundingBox())!.width, before!.width)
    await page.locator('#page-1 .sharp').waitFor({ state: 'detached' })
  })

  test('zooms with the wheel towards the pointer', async (t) => {
    const page = await reader.read(t, book)
    await page.keyboard.press('v')
    const box = (await sheet(page, 1).boundingBox())!
    const at = { x: box.x + box.width * 0.25, y: box.y + box.height * 0.25 }

    await page.mouse.move(at.x, at.y)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -300)
    await page.keyboard.up('Control')
    await untilTrue(page, `document.querySelector('.sheet').clientWidth > ${2 * box.width}`)

    const zoomed = (await sheet(page, 1).boundingBox())!
    assert.ok(Math.abs((at.y - zoomed.y) / zoomed.height - 0.25) < 0.02)
  })

  test('turns pages by swiping and by taps at the sides, and zooms by pinching on a touchscreen', async (t) => {
    const page = await reader.read(t, book, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Single page' }).click()

    assert.equal(await page.locator('[data-view-button="spread"]').isVisible(), false)
    await touch(page, [[{ x: 300, y: 400 }], [{ x: 200, y: 405 }], [{ x: 100, y: 405 }]], async () => {
      // The next page follows the finger.
      const left = (number: number) => `document.querySelector('#page-${number} .sheet').getBoundingClientRect().x`
      await untilTrue(page, `Math.abs(${left(1)} + 200) < 30 && Math.abs(${left(2)} - ${left(1)} - 390) < 2`)
    })
    await announced(page, 'Page 2 of 12')
    await becomes(() => pagesOnScreen(page), [2])
    assert.equal(await page.locator('.beside, .swiping').count(), 0)
    await touch(page, [[{ x: 380, y: 400 }]])
    await announced(page, 'Page 3 of 12')
    await touch(page, [[{ x: 10, y: 400 }]])
    await announced(page, 'Page 2 of 12')
    const before = await sheet(page, 2).boundingBox()
    const fingers = (apart: number) => [
      { x: 195, y: 400 - apart },
      { x: 195, y: 400 + apart },
    ]
    await touch(page, [fingers(50), fingers(80), fingers(110)])

    await untilTrue(page, `document.querySelector('#page-2 .sheet').clientWidth > ${2 * before!.width}`)
  })

  test('turns pages with the wheel and the space bar, a zoomed page only at its end, and with arrows at the sides', async (t) => {
    const page = await reader.read(t, book)
    await page.keyboard.press('v')
    const { width, height } = page.viewportSize()!
    await page.mouse.move(width / 2, height / 2)

    await page.mouse.wheel(0, 120)
    await announced(page, 'Page 2 of 12')
    await page.keyboard.press('Space')
    await announced(page, 'Page 3 of 12')
    await page.keyboard.press('Shift+Space')
    await announced(page, 'Page 2 of 12')
    await page.mouse.click(width - 20, height / 2)
    await announced(page, 'Page 3 of 12')
    await becomes(() => pagesOnScreen(page), [3])
    await page.keyboard.press('s')
    await announced(page, 'Two pages')
    await becomes(() => pagesOnScreen(page), [2, 3])

    await page.keyboard.press('v')
    await page.keyboard.press('v')
    await page.keyboard.press('Home')
    await announced(page, 'Page 1 of 12')
    await sheet(page, 1).dblclick({ position: { x: 20, y: 20 } })
    await untilTrue(page, "document.querySelector('#pages').scrollHeight > 2 * innerHeight")
    await page.keyboard.press('Space')
    await untilTrue(page, "document.querySelector('#pages').scrollTop > 100")
    await becomes(() => pagesOnScreen(page), [1])
    await page.evaluate("document.querySelector('#pages').scrollTo(0, 1e6)")
    await page.keyboard.press('Space')
    await announced(page, 'Page 2 of 12')
    await page.keyboard.press('PageUp')
    await announced(page, 'Page 1 of 12')
    assert.ok(Number(await page.evaluate("document.querySelector('#pages').scrollTop")) > 100)
  })

  test('searches the whole document and steps from match to match', async (t) => {
    const page = await reader.read(t, book)
    await page.getByRole('button', { name: 'Search this document' }).click()
    await page.getByRole('searchbox').fill('HIDDEN treasure')
    await page.getByText('2 matches on 2 pages').first().waitFor()
    await assertSound(page)

    await page.keyboard.press('Enter')
    await announced(page, 'Match 1 of 2. Page 5')
    await page.locator('#page-5 .hit.current').nth(1).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Next match' }).first().click()
    await announced(page, 'Match 2 of 2. Page 10')

    assert.equal(new URL(page.url()).searchParams.get('q'), 'HIDDEN treasure')
    assert.equal(await isOnScreen(page, 10), true)
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('.hit').count(), 0)
    assert.equal(new URL(page.url()).searchParams.has('q'), false)
  })

  test('runs the search in the address', async (t) => {
    const page = await reader.read(t, `${book}?q=treasure`)

    await announced(page, 'Match 1 of 2. Page 5')

    await page.getByRole('region', { name: 'Search', exact: true }).getByText('Match 1 of 2').waitFor()
    await page.keyboard.press('n')
    await announced(page, 'Match 2 of 2. Page 10')
  })

  test('scrolls a match out from under the search bar', async (t) => {
    for (const height of [440, 480, 520]) {
      const page = await reader.read(t, `${book}?q=treasure`, { viewport: { width: 844, height } })

      await announced(page, 'Match 1 of 2')
      await page.locator('.hit.current').first().waitFor()

      const bar = (await page.locator('.hit-bar').boundingBox())!
      const match = (await page.locator('.hit.current').first().boundingBox())!
      assert.ok(match.y > 0 && match.y + match.height <= bar.y, `${match.y} at a height of ${height}`)
    }
  })

  test('copies text selected on the page image, with its line breaks', async (t) => {
    const page = await reader.read(t, book, { permissions: ['clipboard-read', 'clipboard-write'] })
    const word = (text: string) => page.locator('#page-1 .words > span', { hasText: new RegExp(`^${text}\\s*$`) })
    const [first, last] = [(await word('brown').boundingBox())!, (await word('lazy').boundingBox())!]

    await page.mouse.move(first.x + 1, first.y + first.height / 2)
    await page.mouse.down()
    await page.mouse.move(last.x + last.width - 1, last.y + last.height / 2, { steps: 8 })
    await page.mouse.up()
    await page.keyboard.press('Control+c')

    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'brown fox jumps\nover the lazy')
  })

  test('aligns the text layer with the page image', async (t) => {
    const page = await reader.read(t, book)
    const word = page.locator('#page-1 .words > span', { hasText: 'Page' })

    const [box, on] = [(await word.boundingBox())!, (await sheet(page, 1).boundingBox())!]

    // The page is 612 points wide; the text starts at 72 points, in a size of 24 points.
    assert.ok(Math.abs((box.x - on.x) / on.width - 72 / 612) < 0.005)
    assert.ok(Math.abs(box.width / on.width - 54.7 / 612) < 0.01)
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
    assert.equal(await page.getByRole('link', { name: 'The end' }).getAttribute('aria-current'), 'location')
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

  test('turns pages on their side and back, fitted in every view, with matches in sight', async (t) => {
    const page = await reader.read(t, book)
    const box = async (number = 1) => (await sheet(page, number).boundingBox())!
    const upright = await box()

    await page.keyboard.press('d')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate pages' }).click()
    await announced(page, 'Pages rotated by 90°')

    const turned = await box()
    assert.ok(Math.abs(turned.width - upright.width) < 1, `${turned.width}`)
    assert.ok(Math.abs(turned.width / turned.height - upright.height / upright.width) < 0.01)
    const next = await box(2)
    assert.ok(next.y > turned.y + turned.height && next.y < turned.y + turned.height + 120, `${next.y}`)
    await page.keyboard.press('v')
    await page.keyboard.press('ArrowRight')
    await announced(page, 'Page 2 of 12')
    const fitted = await box(2)
    assert.ok(fitted.y >= 0 && fitted.y + fitted.height <= 900 && fitted.width > fitted.height)
    await assertSound(page)
    for (const rotation of [180, 270, 0]) {
      await page.keyboard.press('u')
      await announced(page, `Pages rotated by ${rotation}°`)
    }
    assert.ok((await box(2)).width < (await box(2)).height)

    await page.keyboard.press('v')
    for (let turn = 0; turn < 3; turn++) await page.keyboard.press('u')
    await untilTrue(page, `localStorage.getItem('reader${book.slice(2)}')?.includes('270')`)
    await page.reload()
    await page.getByRole('toolbar').waitFor()
    assert.equal(await page.evaluate('document.documentElement.dataset.rotation'), '270')
    await page.keyboard.press('/')
    await page.getByPlaceholder('Word or phrase').fill('treasure')
    await page.keyboard.press('Enter')
    const hit = page.locator('.hit.current')
    await hit.waitFor()
    await untilTrue(
      page,
      `(({ top, bottom }) => top > 50 && bottom < innerHeight)(document.querySelector('.hit.current').getBoundingClientRect())`,
    )
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

  test('turns pages in a frame, whose height is that of a page, and never holds the wheel of the site around it', async (t) => {
    const { url } = reader.service
    let body = ''
    const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(body))
    await once(site.listen(0, '127.0.0.1'), 'listening')
    t.after(() => site.closeAllConnections())
    t.after(() => site.close())
    const host = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
    const embedded = await fetch(`${url}/oembed?url=${encodeURIComponent(url + book)}`)
    const { html, width, height } = (await embedded.json()) as { html: string; width: number; height: number }
    const page = await visit(t, reader.browser, { viewport: { width: 900, height: 1200 } })
    const show = async (frame: string) => {
      body = `<!doctype html><title>Host</title><body style="margin:0"><div style="height:300px"></div>${frame}<div style="height:3000px"></div></body>`
      await page.goto(host)
      const found = await page.locator('iframe').elementHandle()
      const content = (await found!.contentFrame())!
      await content.getByRole('button', { name: 'Next page' }).waitFor()
      return content
    }
    const scrolled = async () => await page.evaluate<number>('scrollY')
    const shownIn = async (frame: Frame) =>
      await frame.locator('section.page.shown').evaluateAll((all) => all.map((one) => one.id))

    const frame = await show(html)
    await frame.locator('#page-1.shown').waitFor()
    const box = (await page.locator('iframe').boundingBox())!
    assert.deepEqual([Math.round(box.width), Math.round(box.height)], [width, height])
    const main = await frame.evaluate<[number, number, number]>(
      '[main => [main.scrollHeight - main.clientHeight, document.documentElement.scrollHeight - innerHeight, scrollX]][0](document.getElementById("pages"))',
    )
    assert.deepEqual(main, [0, 0, 0])
    assert.equal(await scrolled(), 0)
    await page.mouse.move(450, 700)
    await page.mouse.wheel(0, 120)
    await untilTrue(page, 'scrollY >= 100')
    assert.deepEqual(await shownIn(frame), ['page-1'])

    await frame.locator('#page-1').click({ position: { x: 5, y: 5 } })
    const before = await scrolled()
    await page.mouse.wheel(0, 120)
    await frame.locator('#page-2.shown').waitFor()
    assert.equal(await scrolled(), before)
    await page.keyboard.press('End')
    await frame.locator('#page-12.shown').waitFor()
    await page.mouse.wheel(0, 200)
    await untilTrue(page, `scrollY >= ${before + 150}`)

    const addressed = async (query: string) => await show(html.replace('/embed"', `/embed${query}"`))
    await (await addressed('#page-12')).locator('#page-12.shown').waitFor()
    await (await addressed('?page=5&view=book')).locator('#page-4.shown ~ #page-5.shown').waitFor()
    assert.equal(await scrolled(), 0)
    const scrolling = await addressed('?view=scroll')
    await scrolling.locator('html:not(.paged):not(.returning)').waitFor()
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
})

function pageField(page: Page) {
  return page.getByRole('textbox', { name: 'Page (of 12)' })
}

function sheet(page: Page, number: number) {
  return page.locator(`#page-${number} .sheet`)
}

async function isOnScreen(page: Page, number: number): Promise<boolean> {
  return (await pagesOnScreen(page)).includes(number)
}

async function pagesOnScreen(page: Page): Promise<number[]> {
  return await page.evaluate(`[...document.querySelectorAll('section.page')]
    .filter((section) => {
      const { top, bottom, width } = section.getBoundingClientRect()
      return width > 0 && bottom > 80 && top < innerHeight - 80
    })
    .map(({ dataset }) => Number(dataset.page))`)
}

async function isFocused(found: Locator): Promise<boolean> {
  return await found.evaluate((element) => element.matches(':focus'))
}

/** Moves fingers over the screen, from step to step. */
async function touch(page: Page, steps: { x: number; y: number }[][], beforeEnd?: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', steps[0])
  for (const points of steps.slice(1)) await send('touchMove', points)
  await beforeEnd?.()
  await send('touchEnd', [])
}
