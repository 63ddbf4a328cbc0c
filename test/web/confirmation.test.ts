import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { totpCode, totpStep } from '../../src/operator/factors/one-time-codes.ts'
import { decodeBase32 } from '../operator/support/second-factor.ts'
import { startProvider } from '../operator/support/start-provider.ts'
import { addDevice } from '../support/add-device.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const provider = await startProvider({ after })
const dashboard = await openDashboard(
  { after },
  { settings: { ...provider.settings, OIDC_LOCAL_CREDENTIALS: 'true', OIDC_BUTTON: 'Office account' } },
)
const { db } = dashboard.service.server.operator!.deps.database
/** Signed in at first. All tests use one browser, with one device for passkeys, in turn. */
const page = await dashboard.visitSignedIn({ after })
const device = await addDevice(page)

/** Asks for new recovery codes, long after the last confirmation. Returns the dialog that asks for one. */
async function askToConfirm(page: Page): Promise<Locator> {
  await db.updateTable('sessions').set({ confirmed_at: 0 }).execute()
  await page.goto(dashboard.at('/account'))
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New recovery codes' }).click()
  return page.getByRole('dialog', { name: 'Confirm your identity' })
}

async function seeCodes(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'I have saved the codes' }).click()
}

/** Returns the names of what one can press or fill in, without the button that closes the dialog. */
async function offered(dialog: Locator): Promise<string[]> {
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
  const buttons = await dialog.locator('button, a').allInnerTexts()
  const fields = await dialog.locator('label').allInnerTexts()
  return [...fields, ...buttons].filter((name) => name !== '')
}

async function addPasskey(page: Page): Promise<void> {
  await page.goto(dashboard.at('/account'))
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
  await page.keyboard.press('Enter')
}

describe('the confirmation', () => {
  afterEach(() => page.context().clearCookies())

  test('takes a passkey or a code, and no password beside them', async () => {
    await addPasskey(page)
    const recoveryCode = await page.getByRole('dialog', { name: 'Recovery codes' }).locator('li').first().textContent()
    await seeCodes(page)

    const dialog = await askToConfirm(page)
    assert.deepEqual(await offered(dialog), ['Use a passkey', 'Use a code', 'Cancel'])
    await assertSound(page)
    await device.verifiesUser(false)
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await dialog.getByRole('alert').getByText('No passkey was used').waitFor()
    await device.verifiesUser(true)
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await seeCodes(page)

    await askToConfirm(page)
    await dialog.getByRole('button', { name: 'Use a code' }).click()
    await dialog.getByLabel('Code').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(recoveryCode!)
    await page.keyboard.press('Enter')
    // The codes were replaced meanwhile.
    await dialog.getByRole('alert').getByText('The code is wrong, or has been used before.').waitFor()
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await seeCodes(page)
    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor({ state: 'detached' })
  })

  test('does not ask for a password that there is none of', async () => {
    provider.person = { sub: 'ada', name: 'Ada', groups: ['press'] }
    await page.goto(dashboard.at('/account'))
    await page.getByRole('button', { name: 'Office account' }).click()
    await page.getByRole('button', { name: 'Account: Ada' }).waitFor()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Password', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const secret = decodeBase32((await page.getByRole('dialog').locator('code').textContent())!.replaceAll(' ', ''))
    await page.getByLabel('Code from the app').fill(totpCode(secret, totpStep(Date.now()) - 1))
    await page.keyboard.press('Enter')
    await seeCodes(page)

    const dialog = await askToConfirm(page)
    assert.deepEqual(await offered(dialog), ['Office account', 'Use a code', 'Cancel'])
    await dialog.getByRole('button', { name: 'Use a code' }).click()
    await dialog.getByLabel('Code').fill(totpCode(secret, totpStep(Date.now())))
    await page.keyboard.press('Enter')
    await seeCodes(page)

    await addPasskey(page)
    await page.getByText('Added on').waitFor()
    await askToConfirm(page)
    assert.deepEqual(await offered(dialog), ['Use a passkey', 'Office account', 'Use a code', 'Cancel'])
    await dialog.getByRole('button', { name: 'Use a passkey' }).and(page.locator(':focus')).waitFor()
    await assertSound(page)
    await page.keyboard.press('Enter')
    await seeCodes(page)
  })

  test('at the identity provider takes place in another tab, and keeps what was entered', async () => {
    provider.person = { sub: 'lea', name: 'Léa', groups: ['press'] }
    await page.goto(dashboard.at(`/events/${dashboard.service.eventId}/settings/developers`))
    await page.getByRole('button', { name: 'Office account' }).click()
    await page.getByRole('button', { name: 'New webhook' }).click()
    const form = page.getByRole('dialog', { name: 'New webhook' })
    await form.getByRole('textbox', { name: 'URL' }).fill('https://example.org/from-lea')
    await form.getByRole('checkbox', { name: 'track.created' }).uncheck()
    await db.updateTable('sessions').set({ confirmed_at: 0 }).execute()
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    const link = dialog.getByRole('link', { name: 'Office account' })
    await link.and(page.locator(':focus')).waitFor()
    await assertSound(page)

    // Somebody else signs in at the provider, and then Léa.
    provider.person = { sub: 'somebody-else', groups: ['press'] }
    const [other] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await other.getByRole('alert').getByText('Try again with your own account').waitFor()
    await assertSound(other)
    provider.person = { sub: 'lea', groups: ['press'] }
    const closed = other.waitForEvent('close')
    await other.getByRole('link', { name: 'Try again' }).click()

    await page.getByRole('dialog', { name: 'Your new secret' }).getByRole('button', { name: 'Done' }).click()
    await page.getByText('https://example.org/from-lea').first().waitFor()
    assert.equal(await page.getByText('track.created').count(), 0)
    await closed
  })

  test('says so if there is no way to confirm', async () => {
    provider.person = { sub: 'grace', name: 'Grace', groups: ['press'] }
    await page.goto(dashboard.at('/account'))
    await page.getByRole('button', { name: 'Office account' }).click()
    await page.getByRole('button', { name: 'Account: Grace' }).waitFor()
    await db.deleteFrom('identities').where('subject', '=', 'grace').execute()
    await db.updateTable('sessions').set({ confirmed_at: 0 }).execute()

    await page.reload()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    await dialog.getByText('Ask an owner for a sign-in link').waitFor()
    await assertSound(page)
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await page.getByText('because you did not confirm your identity').waitFor()
  })
})
