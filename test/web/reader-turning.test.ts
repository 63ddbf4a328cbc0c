import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { announced, madeBook, openReader, pagesOnScreen, sheet, untilTrue } from '../support/open-reader.ts'
import { assertSound, visit } from '../support/visit.ts'

const PAGES = 12

describe('turning and zooming pages in the reader', async () => {
  const reader = await openReader({ after })
  const book = await reader.book(PAGES)
  const arabic = `/p/${await reader.publish('From right to left', madeBook(4, { catalog: '/Lang (ar)' }))}`

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
})

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
