import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard, PASSWORD } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const link = dashboard.service.url + dashboard.service.server.firstStart.operator!.signInPath

/** Waits until the field with this label has the focus. */
async function focused(page: Page, label: string): Promise<void> {
  await page
    .locator('input:focus')
    .and(page.getByLabel(label, { exact: true }))
    .waitFor()
}

async function endSessions(): Promise<void> {
  await dashboard.service.server.operator!.deps.database.db.deleteFrom('sessions').execute()
}

describe('signing in', async () => {
  const page = await dashboard.visit({ after })

  async function fillIn(page: Page, password: string) {
    await page.getByLabel('Name').fill('operator')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  test('starts with the link of the first start, which sets a password and opens the events', async () => {
    await page.goto(link)
    await page.getByText('sign in with the name operator').waitFor()
    assert.equal(await page.locator('[autocomplete="username"]').inputValue(), 'operator')
    await assertSound(page)
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm new password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password and sign in' }).click()

    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    assert.ok(!page.url().includes('token'))
    await assertSound(page)
  })

  test('says that a link has been used before anybody types a password', async () => {
    await page.context().clearCookies()
    await page.goto(link)

    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    assert.equal(await page.getByLabel('New password', { exact: true }).count(), 0)
    await assertSound(page)
    await page.getByRole('button', { name: 'Sign in with a password' }).click()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  })

  test('requires the same new password twice', async () => {
    const { operator } = dashboard.service.server
    const [{ id }] = await operator!.deps.operators.list()
    const { path } = await operator!.deps.accounts.recover(id)

    await page.goto('about:blank')
    await page.goto(dashboard.service.url + path)
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm new password').fill('something else here')
    await page.getByRole('button', { name: 'Set password and sign in' }).click()

    await page.getByText('The passwords do not match').waitFor()
    await focused(page, 'Confirm new password')
  })

  test('is required for every page except those for spectators', async () => {
    await page.goto(dashboard.at('/account'))
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    for (const path of [
      '/',
      '/events/new',
      '/events/x/settings/developers',
      '/tracks/x',
      '/workspaces/x/programs',
      '/operators',
    ]) {
      await dashboard.go(page, dashboard.at(path))

      await page.waitForURL(({ pathname, searchParams }) => {
        return pathname === '/dashboard/sign-in' && searchParams.get('back') === path
      })
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    }
  })

  test('explains that a password is wrong, and opens the requested page after the right one', async () => {
    await fillIn(page, 'not the password')
    await page.getByRole('alert').getByText('is wrong').waitFor()
    await focused(page, 'Password')
    await assertSound(page)
    await fillIn(page, PASSWORD)

    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
  })

  test('ends when the operator signs out', async () => {
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
    await forgotten.getByRole('link', { name: 'Administration' }).click()

    await forgotten.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await assertSound(page)
  })

  test('is asked for again where the session ends while a form is filled in, which stays, and over a dialog, which Escape does not close', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/events/new'))
    await page.getByLabel('Name').fill('Half-written')
    await page.getByLabel('Note').fill('A long note')
    await endSessions()

    await page.getByRole('button', { name: 'Create event' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByText('What you entered is still here').waitFor()
    await focused(page, 'Password')
    await assertSound(page)
    await dialog.getByLabel('Password', { exact: true }).fill('not the password')
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.getByRole('alert').getByText('is wrong').waitFor()
    await focused(page, 'Password')
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })

    assert.equal(await page.getByLabel('Note').inputValue(), 'A long note')
    await page.getByRole('button', { name: 'Create event' }).click()
    await page.getByRole('heading', { name: 'Half-written', level: 1 }).waitFor()

    await page.goto(dashboard.at('/operators'))
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Robin')
    await endSessions()

    await page.getByRole('button', { name: 'Add operator' }).click()
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.waitFor()
    await page.keyboard.press('Escape')
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Add operator' }).click()

    await page.getByRole('dialog', { name: 'Sign-in link for Robin' }).waitFor()
  })
})

describe('operators', () => {
  test('are added with a sign-in link unless the name is taken, and deleted again', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at('/operators'))
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Operator')
    await page.getByRole('button', { name: 'Add operator' }).click()
    await page.getByText('An operator with this name already exists.').waitFor()
    await assertSound(page)
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
    await other.getByRole('link', { name: 'Workspaces' }).click()
    await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  })
})
