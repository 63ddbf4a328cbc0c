import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })

const GPX = { name: 'lake.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(makeGpx(LAKE)) }
/** As a spreadsheet in French writes it: Windows-1252 with semicolons. */
const LIST = {
  name: 'liste.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('Dossard;Nom\r\n7;Zoé Lefèvre\r\n', 'latin1'),
}

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press(key)
    const text = await page.evaluate<string>(
      '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()',
    )
    if (name.test(text)) return
  }
  assert.fail(`No way to ${name}`)
}

async function chooseFile(page: Page, button: RegExp, file: typeof GPX): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, button)
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(file)
}

const focused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()

describe('the steps to a race', () => {
  test('are taken by keyboard alone, each from the page of the one before', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/events/new'))
    await page.getByRole('textbox', { name: 'Name' }).fill('Lake run')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'From here to the race' }).waitFor()

    await tabTo(page, /^Add the course$/)
    await page.keyboard.press('Enter')
    // The link is gone with its page.
    await focused(page, 'h1')
    await chooseFile(page, /^Choose .*GPX/, GPX)
    await page.getByText('The course is set').waitFor()
    await tabTo(page, /^Save climb$/)
    assert.equal(await page.getByRole('button', { name: 'Discard changes' }).count(), 0)
    await tabTo(page, /^Back to the navigation$/)
    await page.keyboard.press('Enter')
    await focused(page, '.event-places a')
    await tabTo(page, /^Steps: 1 of 4 done$/, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await assertSound(page)
    await tabTo(page, /^Add the start list$/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await chooseFile(page, /^Choose file$/, LIST)
    await page.getByRole('cell', { name: 'Zoé Lefèvre' }).waitFor()
    await tabTo(page, /^Save$/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Steps: 2 of 4 done' }).press('Enter')
    await tabTo(page, /^Share the event$/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Share event' }).press('Enter')
    await page.getByRole('dialog').getByRole('textbox').first().press('Enter')

    await page.getByRole('status').filter({ hasText: 'The link is ready to share.' }).waitFor()
    await page.getByText('The link is ready to share.').and(page.locator(':focus')).waitFor()
  })

  test('tell of several things that were done only the latest', async (t) => {
    const page = await dashboard.visitSignedIn(t, { viewport: { width: 390, height: 844 } })
    await page.goto(dashboard.at('/events'))
    await page.getByRole('link', { name: /Lake run/ }).click()
    await page.getByRole('link', { name: 'Course & results' }).click()
    await page.getByRole('link', { name: 'Course', exact: true }).click()

    for (const meters of ['120', '130', '140']) {
      await page.getByLabel('Climb as you state it').fill(meters)
      await page.getByRole('button', { name: 'Save climb' }).click()
      await page.getByText('Saved', { exact: true }).first().waitFor()
    }

    await page.getByText('Saved', { exact: true }).nth(1).waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Saved', { exact: true }).count(), 1)
    await assertSound(page)
  })
})
