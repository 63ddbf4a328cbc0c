import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard, PASSWORD } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const link = dashboard.service.url + dashboard.service.server.firstStart.operator!.signInPath

describe('signing in', () => {
  async function fillIn(page: Page, password: string) {
    await page.getByLabel('Name').fill('operator')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  test('starts with the link of the first start, which sets a password and opens the events', async (t) => {
    const page = await dashboard.visit(t)

    await page.goto(link)
    await assertSound(page)
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm new password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password and sign in' }).click()

    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    assert.ok(!page.url().includes('token'))
    await assertSound(page)
  })

  test('refuses a link that has been used', async (t) => {
    const page = await dashboard.visit(t)

    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill('another lake at dusk')
    await page.getByLabel('Confirm new password').fill('another lake at dusk')
    await page.getByRole('button', { name: 'Set password and sign in' }).click()

    await page.getByRole('alert').getByText('has already been used').waitFor()
    await assertSound(page)
  })

  test('requires the same new password twice', async (t) => {
    const page = await dashboard.visit(t)

    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm new password').fill('something else here')
    await page.getByRole('button', { name: 'Set password and sign in' }).click()

    await page.getByText('The passwords do not match').waitFor()
  })

  test('explains that a password is wrong, and opens the requested page after the right one', async (t) => {
    const page = await dashboard.visit(t)

    await page.goto(dashboard.at('/operators'))
    await fillIn(page, 'not the password')
    await page.getByRole('alert').getByText('is wrong').waitFor()
    await assertSound(page)
    await fillIn(page, PASSWORD)

    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
  })

  test('is required for every page except those for spectators', async (t) => {
    const page = await dashboard.visit(t)

    for (const path of ['/', '/events', '/events/new', '/events/x/tokens', '/tracks/x', '/account', '/operators']) {
      await page.goto(dashboard.at(path))

      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    }
  })

  test('ends when the operator signs out', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/account'))

    await page.getByRole('button', { name: 'Account: operator' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()

    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await page.goto(dashboard.at('/account'))
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  })

  test('ends in another browser when its session is ended from the account', async (t) => {
    const forgotten = await dashboard.visitSignedIn(t, { userAgent: 'Mozilla/5.0 (X11) Firefox/140.0' })
    await forgotten.goto(dashboard.at('/events'))
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at('/account'))
    await page.getByRole('button', { name: 'End session: Firefox, Linux' }).click()
    await page.getByText('Session ended').waitFor()
    await forgotten.getByRole('link', { name: 'Operators' }).click()

    await forgotten.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await assertSound(page)
  })
})

describe('operators', () => {
  test('are added with a sign-in link, and deleted again', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at('/operators'))
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Camille')
    await page.getByRole('button', { name: 'Add operator' }).click()
    const link = await page.getByRole('dialog').getByText('/dashboard/sign-in#token=').textContent()
    await assertSound(page)
    await page.getByRole('button', { name: 'Done' }).click()

    const other = await dashboard.visit(t)
    await other.goto(link!)
    await other.getByLabel('New password', { exact: true }).fill('seven red bicycles')
    await other.getByLabel('Confirm new password').fill('seven red bicycles')
    await other.getByRole('button', { name: 'Set password and sign in' }).click()
    await other.getByRole('button', { name: 'Account: Camille' }).waitFor()

    await page.getByRole('button', { name: 'Delete Camille' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted Camille').waitFor()
    await other.getByRole('link', { name: 'Operators' }).click()
    await other.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  })

  test('are refused with an explanation if the name is taken', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at('/operators'))
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Operator')
    await page.getByRole('button', { name: 'Add operator' }).click()

    await page.getByText('An operator with this name already exists.').waitFor()
    await assertSound(page)
  })
})
