import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })

/** Returns the status of a request with a token. */
async function statusOf(token: string, method: string, path: string): Promise<number> {
  return (await fetch(`${dashboard.service.url}${path}`, { method, headers: { 'X-API-Key': token } })).status
}

/** Opens the tokens of a new event. */
async function openTokens(page: Page, name: string): Promise<string> {
  const { id } = await dashboard.service.createEvent(name)
  await dashboard.go(page, dashboard.at(`/events/${id}/settings/developers`))
  return id
}

const shownToken = async (page: Page) =>
  (await page.getByRole('dialog', { name: 'Your new token' }).getByText(/^trk_/).first().textContent())!

describe('the tokens of an event', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('are created with the chosen permissions, which the list shows, shown again and revoked', async () => {
    await openTokens(page, 'Permissions')

    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Label').fill('Clean-up')
    await page.getByRole('checkbox', { name: 'Record' }).uncheck()
    await page.getByRole('checkbox', { name: 'Read' }).uncheck()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Choose at least one permission').waitFor()
    await assertSound(page)
    await page.getByRole('checkbox', { name: 'Manage' }).check()
    await page.getByLabel('Expires').selectOption('After 1 week')
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await shownToken(page)
    await page.getByRole('dialog').getByText('This token has no QR code').waitFor()
    await page.getByRole('dialog', { name: 'Your new token' }).getByRole('button', { name: 'Close' }).click()

    const row = page.getByRole('row').filter({ hasText: 'Clean-up' })
    await row.getByText('Manage').waitFor()
    await page.getByRole('row').filter({ hasText: 'First token' }).getByText('Record').waitFor()
    await assertSound(page)
    const unknown = '/tracks/00000000-0000-4000-8000-000000000000'
    assert.deepEqual([await statusOf(token, 'GET', '/tracks'), await statusOf(token, 'DELETE', unknown)], [403, 404])
    await page.getByRole('button', { name: 'Show token: Clean-up' }).click()
    await page.getByRole('dialog').getByText(token).first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Revoke token: Clean-up' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Token revoked').waitFor()
    assert.equal(await statusOf(token, 'DELETE', unknown), 401)
  })

  test('are replaced immediately if the operator chooses so', async () => {
    const { id, token: old } = await dashboard.service.createEvent('Leaked')
    await dashboard.go(page, dashboard.at(`/events/${id}/settings/developers`))

    await page.getByRole('button', { name: 'Replace first token' }).click()
    await page.getByLabel('Old token expires').selectOption('Immediately')
    await page.getByRole('button', { name: 'Replace token', exact: true }).click()
    const made = await shownToken(page)

    assert.deepEqual([await statusOf(old, 'GET', '/tracks'), await statusOf(made, 'GET', '/tracks')], [401, 200])
  })

  test('for one person never have Manage, and are listed among the participants', async () => {
    await openTokens(page, 'One person')

    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('checkbox', { name: 'Manage' }).check()
    await page.getByLabel('Only for this participant (participant ID)').fill('anna@example.org')
    await page.getByText('because it has no last day').waitFor()
    assert.equal(await page.getByRole('checkbox', { name: 'Manage' }).isDisabled(), true)
    assert.equal(await page.getByRole('checkbox', { name: 'Manage' }).isChecked(), false)
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await shownToken(page)
    await page.getByRole('dialog', { name: 'Your new token' }).getByRole('button', { name: 'Close' }).click()

    const participants = page.getByRole('table', { name: 'Participants' })
    await participants.getByText('anna@example.org').first().waitFor()
    assert.equal(await statusOf(token, 'GET', '/tracks'), 200)
  })

  test('for one person expire with the event unless another end is chosen', async () => {
    const { id } = await dashboard.service.createEvent('With an end')
    const { db } = dashboard.service.server.tracks!.deps
    await db.updateTable('events').set({ ends_on: '2099-12-30' }).where('id', '=', id).execute()
    await dashboard.go(page, dashboard.at(`/events/${id}/settings/developers`))

    for (const [person, lifetime, end] of [
      ['anna', 'With the event (30 Dec 2099)', '31 Dec 2099'],
      ['ben', 'Never', '–'],
    ]) {
      await page.getByRole('button', { name: 'New token' }).click()
      await page.getByLabel('Only for this participant (participant ID)').fill(person)
      const expiry = page.getByLabel('Expires')
      await expiry.locator('option', { hasText: 'With the event (30 Dec 2099)' }).waitFor({ state: 'attached' })
      assert.equal(await expiry.inputValue(), '')
      await expiry.selectOption(lifetime)
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByRole('img', { name: 'QR code' }).waitFor()
      await page.getByRole('dialog', { name: 'Your new token' }).getByRole('button', { name: 'Close' }).click()
      const row = page.getByRole('table', { name: 'Participants' }).getByRole('row').filter({ hasText: person })
      await row.getByRole('cell').nth(3).filter({ hasText: end }).waitFor()
    }
  })
})

describe('the participants of an event', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('get tokens from a pasted list, whose wrong lines are named', async () => {
    await openTokens(page, 'Pasted')

    await page.getByRole('button', { name: 'Add participants' }).click()
    await page.getByLabel('Participants as CSV').fill('user_id,name\nanna,Anna\nanna,Ben')
    await page.getByText('is used twice, also in line 2').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create tokens' }).isDisabled(), true)
    await assertSound(page)
    await page.getByLabel('Participants as CSV').fill('user_id,name\nanna,Anna Martin\nben,Ben Dubois')
    await page.getByText('2 people get a token.').waitFor()
    await page.getByRole('button', { name: 'Create tokens' }).click()

    await page.getByText('Created 2 tokens').waitFor()
    await page.getByRole('table', { name: 'Participants' }).getByText('Ben Dubois').waitFor()
    await page.getByRole('button', { name: 'Add participants' }).click()
    await page.getByLabel('Participants as CSV').fill('anna,Anna Martin\ncarla,Carla')
    await page.getByText('1 person gets a token. 1 has one already and keeps it.').waitFor()
  })

  test('get tokens from a dropped start list, and a sheet of QR codes with their names', async () => {
    const eventId = await openTokens(page, 'Dropped')
    await page.getByRole('button', { name: 'Add participants' }).click()

    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['bib;name;category\\n7;Élodie Roux;F\\n12;Ben Dubois;M'], 'start.csv'))
      return transfer
    })()`)
    await page.getByLabel('Participants as CSV').dispatchEvent('drop', { dataTransfer: data })
    await page.getByText('2 people get a token.').waitFor()
    await page.getByRole('button', { name: 'Create tokens' }).click()
    await page.getByRole('link', { name: 'QR codes' }).click()

    await page.getByRole('heading', { name: 'Participant codes' }).waitFor()
    await page.getByRole('img', { name: 'QR code for Élodie Roux' }).waitFor()
    const codes = page.getByRole('list', { name: 'Participant codes' }).getByRole('listitem')
    assert.deepEqual(await codes.allTextContents(), [
      'DroppedBen DuboisScan it with your phone’s camera to appear on the live map.',
      'DroppedÉlodie RouxScan it with your phone’s camera to appear on the live map.',
    ])
    await assertSound(page)
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false)
    assert.equal(await page.getByRole('navigation', { name: 'Event pages' }).isVisible(), false)
    assert.equal(await page.getByRole('img', { name: 'QR code for Ben Dubois' }).isVisible(), true)
    await page.emulateMedia({ media: 'screen' })

    const { eventTokens } = dashboard.service.server.tracks!.deps
    const people = [{ userId: 'used', name: 'Already used' }]
    const [used] = await eventTokens.addParticipants(eventId, people, { expiresAtMs: null })
    await statusOf(used.text, 'GET', '/tracks')
    await dashboard.service.server.tracks!.deps.tokenUse.write()
    await page.reload()
    await page.getByText('3 codes').waitFor()
    await page.getByRole('checkbox', { name: 'Only codes that were never used' }).check()
    await page.getByText('2 codes').waitFor()
    assert.equal(await page.getByRole('img', { name: 'QR code for Already used' }).count(), 0)
  })

  test('are found among many, and all of their codes are drawn', async () => {
    // More than a list shows at first, and than the page of codes draws in two frames.
    const people = Array.from({ length: 130 }, (_, i) => ({ userId: `bib-${i}`, name: `Runner ${i}` }))
    const { id } = await dashboard.service.createEvent('Many')
    await dashboard.service.server.tracks!.deps.eventTokens.addParticipants(id, people, { expiresAtMs: null })
    await dashboard.go(page, dashboard.at(`/events/${id}/settings/developers`))

    await page.getByText('50 of 130 participants').waitFor()
    await page.getByLabel('Search participants').fill('RUNNER 129')
    await page.getByText('1 participant', { exact: true }).waitFor()
    await page.getByLabel('Search participants').fill('nobody')
    await page.getByText('Nobody found').waitFor()
    await assertSound(page)
    await dashboard.go(page, dashboard.at(`/events/${id}/participants/codes`))

    await page.getByRole('img', { name: 'QR code for Runner 129' }).waitFor()
    assert.equal(await page.getByRole('list', { name: 'Participant codes' }).getByRole('listitem').count(), 130)
    await page.getByRole('button', { name: 'Print' }).isEnabled()
  })

  test('are shown in French, in the dark, and on a phone', async (t) => {
    const options = { locale: 'fr-FR', colorScheme: 'dark' as const, viewport: { width: 390, height: 844 } }
    const phone = await dashboard.visitSignedIn(t, options)
    const eventId = await openTokens(phone, 'Sentiers')
    await phone.getByRole('heading', { name: 'Participants' }).waitFor()
    await phone.getByRole('button', { name: 'Ajouter des participants' }).click()
    await phone.getByLabel('Participants en CSV').fill('anna,Anna Martin')
    await phone.getByText('1 personne reçoit une clé.').waitFor()
    await assertSound(phone)
    await phone.getByRole('button', { name: 'Créer les clés' }).click()
    await phone.getByText('1 clé créée').waitFor()
    await dashboard.go(phone, dashboard.at(`/events/${eventId}/participants/codes`))

    await phone.getByRole('img', { name: 'Code QR de Anna Martin' }).waitFor()
    await assertSound(phone)
  })
})

describe('the keys of a workspace', () => {
  test('are created to read or to publish, shown again and revoked', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const { id } = await dashboard.service.createWorkspace('Website')
    await dashboard.go(page, dashboard.at(`/workspaces/${id}/programs`))
    await page.getByText('There are no further keys.').waitFor()

    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Label').fill('Home page')
    await page.getByRole('button', { name: 'Create this key' }).click()
    const key = (await page.getByRole('dialog', { name: 'Your new key' }).getByText(/^pub_/).first().textContent())!
    await page.getByRole('dialog', { name: 'Your new key' }).getByRole('button', { name: 'Close' }).click()

    await page.getByRole('row').filter({ hasText: 'Home page' }).getByText('Read').waitFor()
    await assertSound(page)
    assert.deepEqual(
      [await statusOf(key, 'GET', '/publications'), await statusOf(key, 'POST', '/publications/upload-url')],
      [200, 403],
    )
    await page.getByRole('button', { name: 'Show key: Home page' }).click()
    await page.getByRole('dialog').getByText(key).first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Revoke key: Home page' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Key revoked').waitFor()
    assert.equal(await statusOf(key, 'GET', '/publications'), 401)
  })
})
