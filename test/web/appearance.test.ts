import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })

describe('the dashboard', () => {
  test('speaks the language of the browser', async (t) => {
    const page = await dashboard.visitSignedIn(t, { locale: 'fr-FR' })

    await page.goto(dashboard.at('/events'))

    await page.getByRole('heading', { name: 'Événements', level: 1 }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'fr')
    assert.equal(await page.title(), 'Événements · Trackpress')
    await assertSound(page)
  })

  test('changes its language, and keeps it', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/events'))

    await page.getByRole('button', { name: 'Language' }).click()
    await assertSound(page)
    await page.getByRole('menuitem', { name: 'Français' }).click()
    await page.getByRole('heading', { name: 'Événements', level: 1 }).waitFor()
    await page.reload()

    await page.getByRole('heading', { name: 'Événements', level: 1 }).waitFor()
  })

  test('is dark where the device is, and reads well there', async (t) => {
    const page = await dashboard.visitSignedIn(t, { colorScheme: 'dark' })

    for (const path of ['/events', '/events/new', '/account', '/operators']) {
      await page.goto(dashboard.at(path))
      await page.getByRole('heading', { level: 1 }).waitFor()

      assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
      await assertSound(page)
    }
  })

  test('changes its colours when one chooses them', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/events'))

    await page.getByRole('button', { name: 'Colour theme' }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()

    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  })

  test('has its navigation behind a button on a narrow screen, and nothing wider than that', async (t) => {
    const page = await dashboard.visitSignedIn(t, { viewport: { width: 390, height: 844 } })
    await page.goto(dashboard.at('/events'))

    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('link', { name: 'Operators' }).click()

    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await assertSound(page)
  })

  test('begins with, and leads to, what runs alone', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.route('**/operator/settings', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), services: ['publications', 'dashboard'] } })
    })

    await page.goto(dashboard.at(''))

    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor()
    const links = await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').allTextContents()
    assert.deepEqual(links, ['Workspaces', 'Operators'])
    await page.goto(dashboard.at('/events'))
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  })

  test('lets the keyboard skip the navigation, and puts it on the heading of a new page', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/events'))
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()

    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').textContent(), 'Skip to main content')
    await page.getByRole('link', { name: 'Operators' }).click()
    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()

    assert.equal(await page.locator(':focus').textContent(), 'Operators')
  })

  test('says that the server does not answer, and goes on when it does again', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/operators'))
    await page.getByRole('cell', { name: 'operator' }).first().waitFor()

    await page.route('**/operator/**', (route) => route.fulfill({ status: 502, body: '' }))
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Camille')
    await page.getByRole('button', { name: 'Add operator' }).click()
    await page.getByRole('alert').getByText('The server is not responding').waitFor()
    await page.unroute('**/operator/**')
    await page.getByRole('button', { name: 'Add operator' }).click()

    await page.getByRole('heading', { name: 'Sign-in link for Camille' }).waitFor()
  })
})
