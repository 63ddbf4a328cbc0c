import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { becomes } from '../support/becomes.ts'
import { choose, makeWorkspace, publishTo } from '../support/dashboard-library.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })

const works = async (key: string) => {
  const { status } = await fetch(`${dashboard.service.url}/publications`, { headers: { 'X-API-Key': key } })
  return status === 200
}
const shownKey = async (page: Page) =>
  (await page
    .getByText(/^pub_[^…]+$/)
    .first()
    .textContent())!

describe('a workspace', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('shows its key and commands once it is created', async () => {
    await dashboard.go(page, dashboard.at('/workspaces'))

    await page.getByRole('link', { name: 'New workspace' }).click()
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByText('Enter a name').waitFor()
    await page.getByLabel('Name').fill('Press office')
    await assertSound(page)
    await page.getByRole('button', { name: 'Create workspace' }).click()

    await page.getByRole('heading', { name: 'Press office is ready' }).waitFor()
    const key = await shownKey(page)
    await page.getByText(`X-API-Key: ${key}`).first().waitFor()
    await assertSound(page)
    assert.equal(await works(key), true)
  })

  test('is listed with its publications', async () => {
    const { apiKey } = await makeWorkspace(dashboard, 'Archive')
    await publishTo(dashboard, apiKey, 'Old report')

    await dashboard.go(page, dashboard.at('/workspaces'))

    const card = page.getByRole('listitem').filter({ hasText: 'Archive' })
    await card.getByText('1 publication').waitFor()
    await card.getByRole('link', { name: 'Archive' }).click()
    await page.getByRole('link', { name: 'Old report' }).waitFor()
    await assertSound(page)
  })

  test('gets a public page with a colour and a logo, and loses it again', async () => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Communication')
    await publishTo(dashboard, apiKey, 'Figures of the year')
    await dashboard.go(page, dashboard.at(`${path}/face`))

    await page.getByLabel('Public name').fill('Town of Zürich')
    await page.locator('input[value="town-of-zurich"]').waitFor()
    await page.getByLabel('URL slug').fill('town-of-nyon')
    await page.getByLabel('Public name').fill('Town of Nyon')
    await page.getByLabel('About you').fill('Reports and plans.')
    await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#ffcc00')
    await page.getByRole('button', { name: 'Create public page' }).click()
    await page.getByText('too light').waitFor()
    await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#7a1f5c')
    await page.getByRole('button', { name: 'Create public page' }).click()

    await page.getByRole('heading', { name: 'Logo' }).waitFor()
    const png = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#c00' } })
      .png()
      .toBuffer()
    await choose(page, 'Choose a logo', [{ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('text') }])
    await page.getByText('is not a PNG, JPEG or WebP image').waitFor()
    await choose(page, 'Choose a logo', [{ name: 'logo.png', mimeType: 'image/png', buffer: png }])
    await page.getByRole('img', { name: 'Logo of Town of Nyon' }).waitFor()
    const shelf = await (await fetch(`${dashboard.service.url}/w/town-of-nyon`)).text()
    assert.match(shelf, /Figures of the year/)
    assert.match(shelf, /logo-\w+\.png/)
    const domain = page.getByLabel('Host name')
    const saveDomain = page.locator('form', { has: domain }).getByRole('button', { name: 'Save' })
    await domain.fill('https://nyon.example.org/')
    await saveDomain.click()
    await page.getByText('Enter a name such as').waitFor()
    await domain.fill('Reports.Nyon.Example.org')
    await saveDomain.click()
    await page.locator('input[value="reports.nyon.example.org"]').waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Town of Nyon')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove public page' }).click()
    await page.getByText('no public page yet').waitFor()
    assert.equal((await fetch(`${dashboard.service.url}/w/town-of-nyon`)).status, 404)
  })

  test('is renamed, gets limits shown with what is used, and is deleted with its public pages', async () => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Provisional')
    const { public_url } = await publishTo(dashboard, apiKey, 'Counted')
    await dashboard.go(page, dashboard.at(`${path}/settings`))

    await page.getByLabel('Name').fill('Short-lived')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Short-lived', level: 1 }).waitFor()
    await page.getByText('1 so far. Leave empty for no limit.').waitFor()
    await page.getByLabel('Maximum storage in MB').fill('25')
    await page.getByLabel('Maximum publications').fill('3')
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await saved
    await page.getByText('Saved').first().waitFor()
    await page.reload()
    await becomes(() => page.getByLabel('Maximum storage in MB').inputValue(), '25')
    assert.equal(await page.getByLabel('Maximum publications').inputValue(), '3')
    await assertSound(page)

    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 publication will be deleted').waitFor()
    await dialog.getByRole('button', { name: 'Delete workspace' }).and(page.locator(':disabled')).waitFor()
    await dialog.getByLabel('Type the name').fill('Short-lived')
    await assertSound(page)
    await dialog.getByRole('button', { name: 'Delete workspace' }).click()
    await page.getByText('Deleted Short-lived').waitFor()
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor()
    assert.equal(await works(apiKey), false)
    assert.equal((await fetch(public_url)).status, 404)
  })
})

describe('the key of a workspace', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('is shown on demand, and replaced while the old one stays valid', async () => {
    await dashboard.go(page, dashboard.at('/workspaces/new'))
    await page.getByLabel('Name').fill('Two programs')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    const apiKey = await shownKey(page)
    await page.getByRole('link', { name: 'Open library' }).click()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.getByRole('link', { name: 'Programs' }).click()

    await page.getByText(/^Created/).waitFor()
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    assert.equal(asked.filter((path) => path.endsWith('/key')).length, 0, 'the key is asked for when it is to be seen')
    await page.getByRole('button', { name: 'Show key' }).click()
    await page.getByText(/^pub_.*Created/).waitFor()
    await page.getByRole('button', { name: 'Hide key' }).click()
    assert.equal(await page.getByText(apiKey).count(), 0)
    await page.getByRole('button', { name: 'Replace key' }).click()
    await page.getByLabel('Old key expires').selectOption('After 1 day')
    await assertSound(page)
    await page.getByRole('button', { name: 'Create new key' }).click()

    await page.getByText('The new key is ready').waitFor()
    const made = await shownKey(page)
    assert.notEqual(made, apiKey)
    assert.deepEqual([await works(apiKey), await works(made)], [true, true])
    await page.getByRole('table', { name: 'Expiring keys' }).getByText(apiKey.slice(0, 8)).waitFor()
    await assertSound(page)
  })

  test('is replaced immediately if the operator chooses so', async () => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Leaked')
    const former = page.url()
    await dashboard.go(page, dashboard.at(`${path}/programs`))
    await page.getByRole('button', { name: 'Show key' }).click()
    await page.getByText(apiKey, { exact: true }).waitFor()
    await dashboard.go(page, former)
    // The key of another workspace was shown, not this one's.
    await page.getByRole('button', { name: 'Show key' }).waitFor()
    await page.goto(dashboard.at(`${path}/programs`))

    await page.getByRole('button', { name: 'Replace key' }).click()
    await page.getByLabel('Old key expires').selectOption('Immediately')
    await page.getByRole('button', { name: 'Create new key' }).click()

    await page.getByText('The new key is ready').waitFor()
    assert.deepEqual([await works(apiKey), await works(await shownKey(page))], [false, true])
  })
})
