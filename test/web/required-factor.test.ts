import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { totpCode, totpStep } from '../../src/operator/factors/one-time-codes.ts'
import { decodeBase32 } from '../operator/support/second-factor.ts'
import { addDevice } from '../support/add-device.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after }, { settings: { REQUIRE_SECOND_FACTOR: 'true' } })

describe('required two-factor authentication', () => {
  test('is set up before anything else, and again once it is removed', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/workspaces'))
    const heading = page.getByRole('heading', { name: 'Set up two-factor authentication' })
    await heading.waitFor()
    await page.getByText('This server requires two-factor authentication').waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
    await assertSound(page)

    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
    const secret = decodeBase32((await dialog.locator('code').textContent())!.replaceAll(' ', ''))
    await dialog.getByLabel('Code from the app').fill(totpCode(secret, totpStep(Date.now())))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have saved the codes' }).click()
    await assertSound(page)
    await page.getByRole('button', { name: 'Continue to the dashboard' }).click()
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/dashboard/workspaces')
    await page
      .getByRole('cell', { name: 'Default' })
      .or(page.getByRole('link', { name: 'Default' }))
      .first()
      .waitFor()

    await page.goto(dashboard.at('/account'))
    await page.getByRole('button', { name: 'Remove the authenticator app' }).click()
    await page.getByRole('dialog').getByText('This server requires two-factor authentication').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await heading.waitFor()
  })

  test('can be a passkey, in French and on a phone, or be left for later', async (t) => {
    const page = await dashboard.visitSignedIn(t, { locale: 'fr-FR', viewport: { width: 380, height: 800 } })
    await addDevice(page)
    await page.goto(dashboard.at('/'))
    await page.getByRole('heading', { name: 'Configurez la double authentification' }).waitFor()
    await assertSound(page)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 380)
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('heading', { name: 'Connexion' }).waitFor()

    const again = await dashboard.visitSignedIn(t)
    await addDevice(again)
    await again.goto(dashboard.at('/'))
    await again.getByRole('button', { name: 'Add a passkey' }).click()
    await again.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await again.keyboard.press('Enter')
    await again.getByRole('button', { name: 'I have saved the codes' }).click()
    await again.getByRole('button', { name: 'Continue to the dashboard' }).click()

    await again.getByRole('button', { name: 'Account: operator' }).waitFor()
  })
})
