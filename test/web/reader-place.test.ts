import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { announced, madeBook, openReader, selectPassage, untilTrue } from '../support/open-reader.ts'
import { wrongPlaces } from '../support/problem.ts'
import { storePages } from '../support/public-pages.ts'
import { answer } from '../support/publish.ts'
import { assertSound } from '../support/visit.ts'

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }
const VIEWS = { 'continuous scroll': '', 'enlarged pages': '+++', 'the text': 'x+', 'single pages': 'v' }

/** The page at the top of the screen, its distance from there, and the page in the toolbar. */
const PLACE = `(() => {
  const section = [...document.querySelectorAll('section.page')].find((page) => page.getBoundingClientRect().bottom > 64)
  return [section.id, Math.round(section.getBoundingClientRect().top), document.getElementById('reader-page').value].join()
})()`
/** The words a quarter down the screen. */
const LINE = `(() => {
  const { left, top } = document.querySelector('.text').getBoundingClientRect()
  const { offsetNode, offset } = document.caretPositionFromPoint(left + 30, innerHeight / 4)
  return offsetNode.data.slice(Math.max(offset - 80, 0), offset + 80)
})()`

describe('the place in the reader', async () => {
  const reader = await openReader({ after })
  const book = await reader.book(24)
  const words = (page: number) => Array.from({ length: 300 }, (_, at) => `p${page}w${at}`)
  const pages = Array.from({ length: 30 }, (_, at) => ({
    text: words(at + 1)
      .join(' ')
      .replaceAll(/0 /g, '0.\n\n'),
  }))
  const novel = `/p/${(await storePages(reader.service, { title: 'A novel', pages })).slug}`

  for (const [view, keys] of Object.entries(VIEWS))
    for (const [device, options] of Object.entries({ computer: {}, phone: PHONE }))
      test(`is exactly the same after each of several reloads, in ${view} on a ${device}`, async (t) => {
        const page = await reader.read(t, `${book}#page-16`, options)
        for (const key of keys) await page.keyboard.press(key)
        await page.mouse.move(190, 500)
        await page.mouse.wheel(0, 470)
        await settled(page)
        const before = await page.evaluate<string>(PLACE)

        for (const waitUntil of ['commit', 'domcontentloaded', 'load'] as const) {
          await page.reload({ waitUntil })
          await page.getByRole('toolbar').waitFor()
          await settled(page)
          assertAtSamePlace(await page.evaluate(PLACE), before)
        }
      })

  test('begins in the view that the publisher chose, until the reader chooses another', async (t) => {
    const slug = await reader.publish('A magazine', madeBook(6))
    const choose = async (first_view: string | null) =>
      await answer<{ first_view: string | null }>(
        await reader.service.request('PATCH', `/publications/${slug}`, { first_view }),
        200,
      )
    assert.equal((await choose('book')).first_view, 'book')
    const page = await reader.read(t, `/p/${slug}`, { isFirst: true })
    const view = () => page.evaluate<string | undefined>('document.documentElement.dataset.view')
    const shown = () => page.locator('.page.shown').count()
    assert.deepEqual([await view(), await shown()], ['spread', 1])
    await assertSound(page)
    await page.keyboard.press('ArrowRight')
    await page.locator('.page.shown').nth(1).waitFor()
    await choose('slides')
    const other = await reader.read(t, `/p/${slug}#page-3`, { isFirst: true })
    assert.equal(await other.evaluate('document.documentElement.dataset.view'), 'single')
    assert.equal(await other.locator('.page.shown').getAttribute('id'), 'page-3')
    assert.equal((await choose(null)).first_view, null)
    const wrong = await reader.service.request('PATCH', `/publications/${slug}`, { first_view: 'cinema' })
    assert.deepEqual(await wrongPlaces(wrong), ['first_view'])
  })

  test('is shared as links to the page or to a passage, which opens marked', async (t) => {
    const labels = '/Lang (en) /PageLabels << /Nums [0 << /S /r >> 4 << /S /D >>] >>'
    const labelled = `/p/${await reader.publish('A book with a preface', madeBook(12, { catalog: labels }))}`
    const page = await reader.read(t, labelled, { permissions: ['clipboard-read', 'clipboard-write'] })
    const dialog = page.getByRole('dialog', { name: 'Share and cite' })
    const field = page.getByRole('textbox', { name: /^Page/ })
    await field.fill('III')
    await field.press('Enter')
    await announced(page, 'Page iii')
    assert.deepEqual(await page.locator('.page-field span').allTextContents(), ['(3 / 12)'])
    await field.fill('2')
    await field.press('Enter')
    await page.waitForURL(/#page-6$/)
    await selectPassage(page, 6)

    await page.keyboard.press('l')
    await dialog.getByRole('button', { name: 'Copy' }).first().click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    const shared = await page.evaluate<string>('navigator.clipboard.readText()')
    await dialog.getByRole('img', { name: 'QR code of the link' }).waitFor()
    await dialog.getByLabel('Page 2').check()
    assert.match(await dialog.getByLabel('Link', { exact: true }).inputValue(), /\?page=6$/)
    await dialog.getByLabel('Format of the citation').selectOption('RIS')
    assert.match(await dialog.getByLabel('Citation', { exact: true }).inputValue(), /^SP {2}- 2$/m)
    await assertSound(page)

    const { search, hash } = new URL(shared)
    assert.equal(`${search}${hash}`, '?passage=brown+fox+jumps+over+the+lazy&page=6')
    const guest = await reader.read(t, `${labelled}${search}`)
    await announced(guest, 'Passage marked: brown fox jumps over the lazy')
    // Each of its two lines is marked as one band.
    assert.equal(await guest.locator('#page-6 .passage .hit').count(), 2)
    // The page began with its smallest image.
    await untilTrue(guest, `/\\/1200\\.webp$/.test(document.querySelector('#page-6 picture img').currentSrc)`)
    await guest.waitForURL(/\?passage=[^&]*#page-6$/)
    await guest.keyboard.press('End')
    await guest.waitForURL((address) => !address.searchParams.has('passage') && address.hash === '#page-12')
    await guest.goto('about:blank')
    await guest.goto(`${reader.service.url}${labelled}?passage=no+such+words#page-6`)
    await guest.getByText('The linked passage is not on this page any more.').waitFor()
  })

  test('is the line being read while the text is enlarged and reduced', async (t) => {
    const page = await reader.read(t, `${novel}#page-12`)
    await page.keyboard.press('x')
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 220)
    await settled(page)
    const [word] = /p\d+w\d+/.exec(await page.evaluate<string>(LINE))!.slice(0, 1)
    const before = await page.evaluate<string>(LINE)

    for (const key of '++++++------') {
      await page.keyboard.press(key)
      await page.waitForTimeout(100)
      const line = await page.evaluate<string>(LINE)
      assert.ok(common(before, line), `${word} after ${key}: ${line}`)
      assert.equal(await page.locator('#reader-page').inputValue(), '12')
    }
    assert.equal(await page.evaluate(LINE), before)
    await page.keyboard.press('+')
    const size = await page.evaluate<string>(`getComputedStyle(document.querySelector('#page-12 .text')).fontSize`)
    assert.ok(Math.abs(parseFloat(size) - 18 * 2 ** (1 / 3)) < 0.1, size)
  })

  test('stays on the page when its text is shown and its image again', async (t) => {
    const page = await reader.read(t, `${novel}#page-17`)
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 300)
    await settled(page)
    const before = await page.evaluate(PLACE)

    await page.getByRole('button', { name: 'Show as text' }).click()
    await announced(page, 'Pages as text')
    assert.match(await page.evaluate<string>(PLACE), /^page-17,.*,17$/)
    await page.keyboard.press('x')
    await announced(page, 'Pages as images')

    assert.deepEqual(await page.evaluate(PLACE), before)
  })

  test('is where the link was when going back', async (t) => {
    const page = await reader.read(t, book)
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 330)
    await settled(page)
    const before = await page.evaluate(PLACE)
    await page.locator('#page-1 svg a').click()
    await announced(page, 'Page 3 of 24')

    await page.goBack()
    await announced(page, 'Page 1 of 24')

    await untilTrue(page, `${PLACE} === ${JSON.stringify(before)}`)
  })

  test('of the last visit is announced by a message that goes away when reading on', async (t) => {
    const page = await reader.read(t, `${book}#page-10`)
    await page.keyboard.press('v')
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/#page-11$/)
    await page.goto('about:blank')
    await page.goto(reader.service.url + book)
    const message = page.getByText('Continuing from page 11')
    await message.waitFor()

    // The pointer that rests on the message does not keep it either.
    await message.hover()
    await page.keyboard.press('ArrowRight')

    await announced(page, 'Page 12 of 24')
    await message.waitFor({ state: 'detached' })
  })

  test('is on the page entered, and the keyboard goes on from there', async (t) => {
    const page = await reader.read(t, book)

    await page.keyboard.press('g')
    await page.keyboard.type('14')
    await page.keyboard.press('Enter')
    await announced(page, 'Page 14 of 24')

    await untilTrue(page, `document.activeElement.id === 'page-14'`)
    await page.keyboard.press('ArrowRight')
    await announced(page, 'Page 15 of 24')
    await page.keyboard.press('g')
    await page.keyboard.type('99')
    await page.keyboard.press('Enter')
    assert.equal(
      await page
        .locator('#reader-page')
        .evaluate((field) => (field as unknown as { validationMessage: string }).validationMessage),
      'Enter a page from 1 to 24.',
    )
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('#reader-page').inputValue(), '15')
    assert.equal(await page.evaluate('document.activeElement.id'), 'page-15')
  })
})

/** Waits until nothing has moved for many frames. A busy machine draws them later, and moves later, too. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    let before, unmoved = 0
    function look() {
      const now = ${PLACE}
      unmoved = now === before ? unmoved + 1 : 0
      before = now
      if (unmoved > 25) done()
      else requestAnimationFrame(look)
    }
    look()
  })`)
}

/** Half a pixel is rounded up or down. */
function assertAtSamePlace(now: string, before: string): void {
  const [[page, top, shown], [pageBefore, topBefore, shownBefore]] = [now.split(','), before.split(',')]
  assert.deepEqual([page, shown], [pageBefore, shownBefore])
  assert.ok(Math.abs(Number(top) - Number(topBefore)) <= 1, `${now} after ${before}`)
}

/** Returns whether two pieces of text share a word. */
function common(a: string, b: string): boolean {
  const words = new Set(a.match(/p\d+w\d+\b/g))
  return (b.match(/p\d+w\d+\b/g) ?? []).some((word) => words.has(word))
}
