import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  announced,
  openReader,
  pagesOnScreen,
  selectPassage,
  sheet,
  untilTrue,
  wordBox,
} from '../support/open-reader.ts'
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
  const book = await reader.book(12)
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
    const [first, end, last] = [
      await wordBox(page, 1, 'brown'),
      await wordBox(page, 1, 'jumps'),
      await wordBox(page, 1, 'lazy'),
    ]

    await selectPassage(page, 1)

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
    assert.equal((await pagesOnScreen(page)).includes(10), true)
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
    await selectPassage(page, 1)
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
})

async function sheetPicture(page: Page): Promise<Buffer> {
  return await page.locator('#page-1 .sheet').screenshot({ animations: 'disabled' })
}
