import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { totpCode, totpStep } from '../../src/operator/factors/one-time-codes.ts'
import { decodeBase32 } from '../operator/support/second-factor.ts'
import { startProvider } from '../operator/support/start-provider.ts'
import { addDevice } from '../support/add-device.ts'
import { openDashboard, PASSWORD } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const provider = await startProvider({ after })
const dashboard = await openDashboard({ after }, { settings: { ...provider.settings, OIDC_BUTTON: 'Office account' } })

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account: operator' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
}

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('operator')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}

describe('an authenticator app', () => {
  test('is set up with a QR code and a code, and asked for at the next sign-in', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/account'))
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
    await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = decodeBase32((await dialog.locator('code').textContent())!.replaceAll(' ', ''))
    const code = (offset: number) => totpCode(secret, totpStep(Date.now()) + offset)
    await assertSound(page)

    await dialog.getByLabel('Code from the app').fill(code(9))
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('The code is wrong').waitFor()
    await dialog.getByLabel('Code from the app').fill(code(-1))
    await page.keyboard.press('Enter')
    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    await codes.getByText('They are not shown again').waitFor()
    const recoveryCodes = await codes.locator('li').allTextContents()
    await assertSound(page)
    const download = page.waitForEvent('download')
    await codes.getByRole('button', { name: 'Download' }).click()
    assert.equal((await download).suggestedFilename(), 'trackpress-localhost.txt')
    await codes.getByRole('button', { name: 'I have saved the codes' }).click()
    await page.getByText('10 codes are left').waitFor()
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('link', { name: 'Operators' }).click()
    await page.getByRole('cell', { name: 'On', exact: true }).waitFor()
    await signOut(page)

    await enterPassword(page)
    await page.getByLabel('Code', { exact: true }).and(page.locator(':focus')).waitFor()
    await assertSound(page)
    await page.keyboard.type(code(9))
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The code is wrong').waitFor()
    await page.keyboard.type(code(0))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Account: operator' }).waitFor()
    await signOut(page)

    await enterPassword(page)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(recoveryCodes[0])
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Account: operator' }).waitFor()
    await page.goto(dashboard.at('/account'))
    await page.getByText('9 codes are left').waitFor()
    await page.getByRole('button', { name: 'Remove the authenticator app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
    await signOut(page)

    await enterPassword(page)
    await page.getByRole('button', { name: 'Account: operator' }).waitFor()
  })
})

describe('passkeys', () => {
  async function addPasskey(page: Page, name: string) {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page.keyboard.press('Enter')
  }

  test('are added with names, sign in alone and after a password, and are removed', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const device = await addDevice(page)
    await page.goto(dashboard.at('/account'))

    await addPasskey(page, 'Laptop')
    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    await codes.locator('li').nth(9).waitFor()
    await codes.getByRole('button', { name: 'I have saved the codes' }).click()
    await page.getByText('not used yet').waitFor()
    await addPasskey(page, 'Again')
    await page.getByRole('alert').getByText('already has a passkey for your account').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await device.remove()
    const other = await addDevice(page)
    await addPasskey(page, 'Key')
    await page.getByRole('button', { name: 'Rename Key' }).click()
    const naming = page.getByRole('dialog', { name: 'Rename Key' })
    const name = naming.getByLabel('Name')
    await name.and(page.locator(':focus')).waitFor()
    assert.equal(await name.inputValue(), 'Key')
    await name.fill(' ')
    await page.keyboard.press('Enter')
    await naming.getByText('Enter a name').waitFor()
    await assertSound(page)
    await name.fill('Security key')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Security key' }).waitFor()
    await assertSound(page)
    await signOut(page)

    // Alone.
    const sent: { cookie: string; body: string }[] = []
    await page.route('**/operator/session/passkey', async (route) => {
      const cookies = await page.context().cookies()
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      sent.push({ cookie, body: route.request().postData()! })
      await route.continue()
    })
    await assertSound(page)
    await other.verifiesUser(false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('No passkey was used').waitFor()
    await other.verifiesUser(true)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('button', { name: 'Account: operator' }).waitFor()
    await page.goto(dashboard.at('/account'))
    await page.getByText('last used').waitFor()

    // An answer counts once, with the cookie that it belongs to, and unchanged.
    const [{ cookie, body }] = sent
    const changed = JSON.parse(body) as { response: { response: { signature: string } } }
    changed.response.response.signature = changed.response.response.signature.replace(/^..../, 'AAAA')
    for (const [given, text] of [
      [cookie, body],
      ['', body],
      [cookie, JSON.stringify(changed)],
    ]) {
      const answer = await fetch(`${dashboard.service.url}/operator/session/passkey`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: given },
        body: text,
      })
      assert.equal(answer.status, 401)
    }

    // After the password.
    await signOut(page)
    await enterPassword(page)
    await page.getByRole('button', { name: 'Use a passkey' }).and(page.locator(':focus')).waitFor()
    await assertSound(page)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Account: operator' }).waitFor()

    await page.goto(dashboard.at('/account'))
    for (const name of ['Laptop', 'Security key']) {
      await page.getByRole('button', { name: `Remove ${name}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor({ state: 'detached' })
    }
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('This passkey is not known here').waitFor()
    await enterPassword(page)
    await page.getByRole('button', { name: 'Account: operator' }).waitFor()
  })
})

describe('the identity provider', () => {
  test('signs in from its button, leads back to the page, and says who has no access', async (t) => {
    const page = await dashboard.visit(t)
    provider.person = { sub: 'outsider' }
    await page.goto(dashboard.at('/account'))
    await page.getByRole('button', { name: 'Office account' }).click()
    await page.getByRole('alert').getByText('Your account has no access here').waitFor()
    assert.equal(new URL(page.url()).search, '')
    await assertSound(page)

    provider.person = { sub: 'ada', name: 'Ada', groups: ['press'] }
    await page.goto(dashboard.at('/account'))
    await page.getByRole('button', { name: 'Office account' }).click()
    await page.getByRole('button', { name: 'Account: Ada' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/dashboard/account')
  })
})

describe('accounts of the identity provider', () => {
  test('have no sign-in link and nothing to set up here, and a suspended one says what lifts it', async (t) => {
    const leaving = await dashboard.visit(t)
    provider.person = { sub: 'lea', name: 'Léa', groups: ['admins'] }
    await leaving.goto(dashboard.at('/account'))
    await leaving.getByRole('button', { name: 'Office account' }).click()
    await leaving.getByText('You sign in through your organisation’s identity provider').waitFor()
    assert.equal(await leaving.getByRole('button', { name: /authenticator app|passkey/ }).count(), 0)

    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/operators'))
    const lea = page.getByRole('row', { name: /Léa/ })
    const deletion = page.getByRole('button', { name: 'Delete operator' })
    await lea.getByRole('button', { name: 'Delete Léa' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Sign-in link for/ }).count(), 1)
    assert.ok(await page.getByRole('button', { name: 'Delete operator', exact: true }).isEnabled())
    await page.getByText('for the first time get access to everything').waitFor()

    const { db } = dashboard.service.server.operator!.deps.database
    await db.updateTable('operators').set({ suspended_at: Date.now() }).where('name', '=', 'Léa').execute()
    await page.reload()
    await lea
      .getByText('Once the provider assigns one, this person can sign in again. Otherwise, delete the account.')
      .waitFor()
    assert.ok(await lea.getByRole('button', { name: 'Delete Léa' }).isEnabled())
    // The last owner: a suspended one counts as none.
    assert.ok(await deletion.isDisabled())
    await assertSound(page)

    const phone = await dashboard.visitSignedIn(t, { locale: 'fr-FR', viewport: { width: 380, height: 800 } })
    await phone.goto(dashboard.at('/operators'))
    await phone.getByText('Sinon, supprimez le compte.').waitFor()
    await assertSound(phone)
  })
})
