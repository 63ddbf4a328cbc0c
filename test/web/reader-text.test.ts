import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { announced, madeBook, openReader, untilTrue } from '../support/open-reader.ts'
import { storePages } from '../support/public-pages.ts'
import { assertSound, visit } from '../support/visit.ts'

/** Stands in for the voices of a device, which a browser without a screen lacks, and says what they are asked. */
const SPEECH = `window.speech = {
  said: [], calls: [], rate: 0, last: undefined, voices: [{}],
  tell: (event) => speech.last['on' + event.type]?.(event),
}
Object.defineProperty(window, 'speechSynthesis', { value: {
  speak(utterance) {
    speech.last = utterance
    speech.rate = utterance.rate
    speech.said.push(utterance.text + ' (' + utterance.lang + ')')
  },
  getVoices: () => speech.voices,
  addEventListener: (type, listener) => (speech.changed = listener),
  pause: () => speech.calls.push('pause'),
  resume: () => speech.calls.push('resume'),
  cancel: () => speech.calls.push('cancel'),
} })`

describe('the text of a document in the reader', async () => {
  const reader = await openReader({ after })
  const book = `/p/${await reader.publish('A book of foxes', madeBook(6))}`
  const scan = `/p/${(await storePages(reader.service, { pages: [{ text: '' }, { text: ' ' }] })).slug}`
  const mixed = `/p/${(await storePages(reader.service, { pages: [{ text: 'A fox' }, { text: '' }] })).slug}`

  test('is shown by a button of the toolbar and by a key, from any page', async (t) => {
    const page = await reader.read(t, `${book}#page-5`)
    const button = page.getByRole('button', { name: 'Show as text' })

    await button.click()

    await announced(page, 'Pages as text')
    assert.equal(await button.getAttribute('aria-pressed'), 'true')
    await page.getByRole('radio', { name: 'Text', checked: true }).waitFor()
    await page.locator('#page-5 .text').getByText('A hidden treasure').waitFor()
    await assertSound(page)
    await page.keyboard.press('x')
    assert.equal(await button.getAttribute('aria-pressed'), 'false')
    await page.locator('#page-5 picture img').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Show as text').waitFor()
  })

  test('is shown from the menu on a phone, also in a frame on another site', async (t) => {
    for (const path of [book, `${book}/embed`]) {
      const page = await reader.read(t, path, { viewport: { width: 390, height: 844 }, locale: 'fr' })
      await page.getByRole('button', { name: 'Plus' }).click()
      await page.getByRole('button', { name: 'Afficher le texte' }).click()

      await announced(page, 'Pages sous forme de texte')
      await page.locator('#page-1 .text').waitFor()
      await page.locator('#page-1 .sheet').waitFor({ state: 'hidden' })
    }
  })

  test('is read aloud from the page on the screen, with the line marked, and goes on with the next page', async (t) => {
    const page = await visit(t, reader.browser, { isFirst: true })
    await page.addInitScript(SPEECH)
    await page.goto(`${reader.service.url}${book}#page-4`)
    await page.getByRole('toolbar').waitFor()
    const spoken = () => page.evaluate<string[]>('speech.said')
    const tell = (event: string) => page.evaluate(`speech.tell(${event})`)
    const markedTop = async () => Math.round((await page.locator('.spoken .hit.current').boundingBox())!.y)

    await page.keyboard.press('r')
    await untilTrue(page, 'speech.said.length === 1')
    assert.deepEqual(await spoken(), ['Page 4 The quick brown fox jumps over the lazy dog 4 times (en)'])
    const first = await markedTop()
    // The lines of the sentence are marked lightly, for voices that tell nothing more.
    const lines = await page.locator('#page-4 .spoken .hit').count()
    assert.ok(lines > 1)
    await tell("{ type: 'boundary', charIndex: 10 }")
    await untilTrue(page, `document.querySelector('.spoken .hit.current').getBoundingClientRect().y > ${first + 1}`)
    assert.deepEqual(
      [await page.locator('#page-4 .spoken .hit').count(), await page.locator('.spoken .current').count()],
      [lines, 1],
    )
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Pause', pressed: true }).click()
    await assertSound(page)
    await tell("{ type: 'end' }")
    await untilTrue(page, 'speech.said.length === 2')
    assert.match((await spoken())[1], /^Page 5 /)
    await page.waitForURL(/#page-5$/)
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('1.5')
    await untilTrue(page, 'speech.said.length === 3 && speech.rate === 1.5')
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Read aloud' }).waitFor({ state: 'hidden' })
    await page.locator('.spoken').first().waitFor({ state: 'detached' })
    assert.deepEqual(await page.evaluate('speech.calls'), ['pause', 'resume', 'resume', 'cancel', 'resume', 'cancel'])

    // Nothing offers it on a device without voices.
    await page.evaluate('speech.voices = [], speech.changed()')
    await page.getByRole('button', { name: 'Read aloud' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    assert.equal(await page.getByRole('dialog').getByText('Read aloud').count(), 0)
  })

  test('is chosen again at the next visit', async (t) => {
    const page = await reader.read(t, book)
    await page.keyboard.press('x')
    await untilTrue(page, `localStorage.getItem('reader/' + location.pathname.slice(3))?.includes('"isText":true')`)

    await page.goto('about:blank')
    await page.goto(reader.service.url + book)

    await page.getByRole('button', { name: 'Show as text', pressed: true }).waitFor()
    assert.equal(await page.locator('#page-1 .sheet').isVisible(), false)
  })

  test('has spaces between words and lines in a selection that is not copied', async (t) => {
    const page = await reader.read(t, book)
    const word = (text: string) => page.locator('#page-1 .words > span', { hasText: new RegExp(`^${text}\\s*$`) })
    const [first, last] = [(await word('brown').boundingBox())!, (await word('lazy').boundingBox())!]

    await page.mouse.move(first.x + 1, first.y + first.height / 2)
    await page.mouse.down()
    await page.mouse.move(last.x + last.width - 1, last.y + last.height / 2, { steps: 8 })
    await page.mouse.up()

    assert.equal(await page.evaluate('getSelection().toString()'), 'brown fox jumps\nover the lazy')
    // Each line is one band, whose ends are those of its words, and no band lies on another.
    const bands = page.locator('#page-1 .words > .band')
    await bands.nth(1).waitFor()
    assert.equal(await bands.count(), 2)
    const [upper, lower] = await bands.evaluateAll((shown) =>
      shown.map((band) => {
        const { x, right, top, bottom } = band.getBoundingClientRect()
        return { x, right, top, bottom }
      }),
    )
    const end = (await word('jumps').boundingBox())!
    assert.ok(Math.abs(upper.x - first.x) < 2 && Math.abs(upper.right - end.x - end.width) < 2)
    assert.ok(Math.abs(lower.right - last.x - last.width) < 2 && lower.top >= upper.bottom - 0.1)
    await page.evaluate('getSelection().removeAllRanges()')
    await bands.first().waitFor({ state: 'detached' })
  })

  test('stays invisible over the image where the reader of the page chooses the colours', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await reader.read(t, book, { forcedColors: 'active', colorScheme })
      await page.locator('#page-1 .words > span').first().waitFor()

      const withWords = await sheetPicture(page)
      await page.evaluate(`document.querySelector('#page-1 .words').remove()`)

      assert.ok(withWords.equals(await sheetPicture(page)))
    }
  })

  test('that a scan does not have is named as the reason why nothing is found', async (t) => {
    const page = await reader.read(t, scan)
    assert.equal(await page.getByRole('radio', { name: 'Text' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: /Show as text|Read aloud/ }).count(), 0)
    await page.keyboard.press('x')
    assert.equal(await page.locator('#page-1 .sheet').isVisible(), true)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('fox')

    const reason = 'This document has no text to search: its pages are images, such as scans.'
    await page.locator('.search').getByText(reason).waitFor()
    await announced(page, reason)
    await page.goto(`${reader.service.url}${mixed}?q=owl`)

    await announced(page, 'No matches. 1 of 2 pages has no text to search.')
  })
})

describe('the toolbar of the reader', async () => {
  const reader = await openReader({ after })
  const book = `/p/${await reader.publish('A book of foxes', madeBook(6))}`

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

async function sheetPicture(page: Page): Promise<Buffer> {
  return await page.locator('#page-1 .sheet').screenshot({ animations: 'disabled' })
}
