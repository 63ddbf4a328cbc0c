import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openReader, untilTrue } from '../support/open-reader.ts'
import { assertSound, visit } from '../support/visit.ts'

describe('the public page without scripts', async () => {
  const reader = await openReader({ after })
  const book = await reader.book(12)

  test('opens at the page in the address', async (t) => {
    for (const options of [{}, { viewport: { width: 390, height: 844 }, isMobile: true }]) {
      const page = await visit(t, reader.browser, { ...options, javaScriptEnabled: false })

      await page.goto(`${reader.service.url}${book}#page-9`)

      // The browser scrolls there smoothly.
      await untilTrue(page, `(({ y }) => y >= 0 && y < 120)(document.querySelector('#page-9').getBoundingClientRect())`)
    }
  })

  test('lists what the search in the address finds, with links to the pages', async (t) => {
    const page = await visit(t, reader.browser, {
      javaScriptEnabled: false,
      locale: 'fr',
      // The browser takes a while to scroll to a distant page smoothly.
      reducedMotion: 'reduce',
    })

    await page.goto(`${reader.service.url}${book}?q=treasure`)

    const results = page.getByRole('region', { name: /^Résultats pour «\streasure\s»$/ })
    await results.getByText('2 résultats sur 2 pages.').waitFor()
    await results.getByRole('link', { name: 'Page 10', exact: true }).click()
    const { y } = (await page.locator('#page-10').boundingBox())!
    assert.ok(y >= 0 && y < 120, `${y}`)
  })

  test('searches by a form', async (t) => {
    const page = await visit(t, reader.browser, { javaScriptEnabled: false })
    await page.goto(reader.service.url + book)

    await page.getByRole('searchbox', { name: 'Search this document' }).fill('lazy dog 7 times')
    await page.getByRole('button', { name: 'Search', exact: true }).click()

    await page.getByText('1 match on 1 page.').waitFor()
    await page.getByRole('link', { name: 'Page 7', exact: true }).first().waitFor()
  })

  test('leaves results and form to the reader where there are scripts', async (t) => {
    const page = await reader.read(t, `${book}?q=treasure`)

    assert.equal(await page.locator('.found').isVisible(), false)
    assert.equal(await page.locator('.find-form').isVisible(), false)
    await assertSound(page)
  })
})
