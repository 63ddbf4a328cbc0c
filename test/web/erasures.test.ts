import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makePoints } from '../support/make-points.ts'
import { openDashboard, PASSWORD } from '../support/open-dashboard.ts'
import { trackRequests } from '../support/track-requests.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const { service } = dashboard
const { db } = service.server.operator!.deps.database
const ERASURES = dashboard.at('/settings/erasures')

/** Records tracks of a person who has a token. */
async function recordTracks(userId: string, count: number): Promise<void> {
  const token = await service.createToken({ userId, label: 'Anna' })
  const phone = trackRequests((method, path, json, headers) =>
    service.request(method, path, json, { ...headers, 'X-API-Key': token }),
  )
  for (let i = 0; i < count; i++) await phone.sync({ points: makePoints(10) })
}

async function fact(page: Page, table: string, name: string): Promise<string | null> {
  const row = page.getByRole('table', { name: table }).getByRole('row', { name })
  return await row.getByRole('cell').textContent()
}

/** Looks for a person in the event, from the open dialog. */
async function look(page: Page, person: string): Promise<void> {
  await page.getByLabel('Event', { exact: true }).selectOption(service.eventId)
  await page.getByRole('combobox', { name: 'Participant', exact: true }).fill(person)
  // Closes the list of names, which covers the button.
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Show data' }).click()
}

/** Erases what is known of a person in the event. The receipt is shown afterwards. */
async function erase(page: Page, userId: string): Promise<void> {
  await page.goto(ERASURES)
  await page.getByRole('button', { name: 'Erase a person’s data' }).click()
  await look(page, userId)
  await page.getByLabel('Type the participant ID to confirm').fill(userId)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Receipt of an erasure' }).waitFor()
}

describe('the erasure of a person', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('is reached from the administration, and says so when nothing is known', async () => {
    await page.goto(dashboard.at('/settings/map'))
    await page.getByRole('link', { name: 'Personal data' }).click()
    await page.getByRole('heading', { name: 'Nothing has been erased' }).waitFor()
    // Away from the link, whose colours change under the pointer.
    await page.mouse.move(700, 700)
    await assertSound(page)

    await page.getByRole('button', { name: 'Erase a person’s data' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Erase a person’s data' })
    const event = dialog.getByLabel('Event', { exact: true })
    await event.and(page.locator(':focus')).waitFor()
    await event.selectOption(service.eventId)
    await dialog.getByRole('button', { name: 'Show data' }).click()
    await dialog.getByText('Enter a participant.').waitFor()
    await dialog.getByRole('combobox', { name: 'Participant', exact: true }).fill('Nobody')
    await dialog.getByRole('button', { name: 'Show data' }).click()
    await dialog.getByRole('status').getByText('Capital letters and spaces count').waitFor()
    await assertSound(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Erase a person’s data' }).and(page.locator(':focus')).waitFor()
  })

  test('begins with a name in one event, and shows everyone whom all events would hit', async () => {
    const { races } = service.server.tracks!.deps
    const { id: earlier } = await service.createEvent('Trail 2025')
    for (const [id, name] of [
      [service.eventId, 'Dana Moreau'],
      [earlier, 'Paul Durand'],
    ])
      await races.replaceRunners(id, [{ user_id: '119', bib: '119', name, category: null }])
    await page.goto(ERASURES)
    await page.getByRole('button', { name: 'Erase a person’s data' }).click()
    await page.getByLabel('Event', { exact: true }).selectOption(service.eventId)
    await page.getByRole('combobox', { name: 'Participant', exact: true }).fill('dana')
    await page.getByRole('option', { name: '119 · Dana Moreau' }).click()
    await page.getByRole('button', { name: 'Show data' }).click()

    const one = page.getByRole('dialog', { name: 'Erase the data of 119 · Dana Moreau' })
    await one.getByRole('listitem').filter({ hasText: 'Dana Moreau' }).waitFor()
    assert.equal(await one.getByRole('listitem').count(), 1)
    await one.getByRole('button', { name: 'Look in all events…' }).click()
    const all = page.getByRole('dialog', { name: 'Erase 119 in all events' })
    await all.getByText('This participant ID has several names').waitFor()
    const names = await all.getByRole('list', { name: 'Who and where' }).getByRole('listitem').allTextContents()
    assert.deepEqual(names.map((text) => text.split(' · ')[1]).sort(), ['Dana Moreau', 'Paul Durand'])
    await assertSound(page)
    await all.getByRole('button', { name: 'Cancel' }).click()
    await look(page, '119 · Dana Moreau')
    await one.getByLabel('Type the participant ID to confirm').fill('119')
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'Receipt of an erasure' }).waitFor()
    assert.deepEqual(await races.listRunners(service.eventId), [])
    assert.equal((await races.listRunners(earlier)).length, 1)
  })

  test('shows what there is, asks for the user_id and a confirmation, and leaves a receipt', async () => {
    await recordTracks('anna@example.org', 3)
    await page.goto(ERASURES)
    await page.getByRole('button', { name: 'Erase a person’s data' }).click()
    await look(page, 'anna@example.org')

    const dialog = page.getByRole('dialog', { name: 'Erase the data of Anna' })
    const typed = dialog.getByLabel('Type the participant ID to confirm')
    await typed.waitFor()
    const amounts = ['Tracks', 'Points', 'Events', 'Tokens'].map((name) => fact(page, 'Data', name))
    assert.deepEqual(await Promise.all(amounts), ['3', '30', '1', '1'])
    await typed.fill('anna')
    assert.ok(await dialog.getByRole('button', { name: 'Erase permanently' }).isDisabled())
    await assertSound(page)
    await db.updateTable('sessions').set({ confirmed_at: 0 }).execute()
    await typed.fill('anna@example.org')
    await page.keyboard.press('Enter')
    const confirmation = page.getByRole('dialog', { name: 'Confirm your identity' })
    await confirmation.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'Receipt of an erasure' }).waitFor()
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
    // The page shows the id of the operator until it has read the names.
    await page.getByRole('row', { name: 'Requested by' }).getByRole('cell', { name: 'operator', exact: true }).waitFor()
    const facts = ['Reason', 'Where', 'Requested by'].map((name) => fact(page, 'Receipt of an erasure', name))
    assert.deepEqual(await Promise.all(facts), ['Data of a person', 'Default', 'operator'])
    assert.equal(await fact(page, 'Data', 'Points'), '30')
    await page.getByText(/Rows in the database: .*device_tracks\u00a03/).waitFor()
    await page.getByText('Backups from before the erasure').waitFor()
    assert.ok(!(await page.locator('main').textContent())!.includes('anna@'))
    await assertSound(page)
  })

  test('leaves a receipt that can be checked, printed and found again', async () => {
    await recordTracks('berta', 1)
    await erase(page, 'berta')

    await page.getByLabel('Participant ID').fill('anna@example.org')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('No, this is the receipt of somebody else.').waitFor()
    await page.getByLabel('Participant ID').fill('berta')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Yes, this is the receipt of this person.').waitFor()
    await assertSound(page)
    await page.emulateMedia({ media: 'print' })
    assert.deepEqual(await page.getByRole('heading').allTextContents(), [
      'Receipt of an erasure',
      'Data',
      'Where copies may remain',
    ])
    await page.emulateMedia({ media: 'screen' })

    await page.getByRole('link', { name: 'Receipts' }).click()
    const newest = page.getByRole('table', { name: 'Receipts' }).getByRole('row').nth(1)
    await newest.getByText('Default').waitFor()
    // The list shows what it knows until the server has answered.
    await newest.getByRole('cell').nth(4).filter({ hasText: 'Points10' }).waitFor()
    await assertSound(page)
    await newest.getByRole('link').click()
    await page.getByRole('heading', { name: 'Receipt of an erasure' }).waitFor()
  })

  test('is in one event only, if one is chosen, in French and on a phone', async (t) => {
    await recordTracks('chloé', 2)
    const page = await dashboard.visitSignedIn(t, { locale: 'fr-FR', viewport: { width: 380, height: 800 } })
    const event = await page.request.get(`${service.url}/operator/events/${service.eventId}`)
    const { name } = (await event.json()) as { name: string }
    await page.goto(ERASURES)
    await page.getByRole('button', { name: 'Effacer les données d’une personne' }).click()
    await page.getByLabel('Événement', { exact: true }).selectOption(name)
    await page.getByRole('combobox', { name: 'Participant', exact: true }).fill('chloé')
    await page.getByRole('button', { name: 'Afficher les données' }).click()
    const dialog = page.getByRole('dialog', { name: 'Effacer les données de Anna' })
    await dialog.getByLabel('Saisissez l’identifiant du participant pour confirmer').fill('chloé')
    await assertSound(page)

    await dialog.getByRole('button', { name: 'Effacer définitivement' }).click()

    await page.getByRole('heading', { name: 'Reçu d’un effacement' }).waitFor()
    assert.equal(await fact(page, 'Reçu d’un effacement', 'Où'), name)
    await assertSound(page)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 380)
  })

  test('shows a failure in place', async () => {
    await page.goto(ERASURES)
    await page.route('**/operator/erasures/preview', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.getByRole('button', { name: 'Erase a person’s data' }).click()
    await look(page, 'anna@example.org')
    await page.getByRole('dialog').getByRole('alert').getByText('Server error').waitFor()
  })
})

describe('a clock of the server that has jumped', () => {
  test('is shown to owners, who say that it is right', async (t) => {
    const { clock } = service.server.operator!.maintenance
    await db
      .updateTable('maintenance')
      .set({ reached_at: Date.now() - 60 * 86_400_000 })
      .execute()
    assert.equal(await clock.mayDelete(), false)
    const page = await dashboard.visitSignedIn(t)

    await page.goto(ERASURES)
    await page.getByRole('note').getByText('The server clock has jumped from').waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'The time is right…' }).click()
    await page
      .getByRole('dialog')
      .getByText('Expired tokens, sessions, uploads and webhook logs will be deleted.')
      .waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Delete expired data' }).click()
    await page.getByText('The server clock has jumped from').waitFor({ state: 'detached' })

    assert.equal(clock.hold, undefined)
  })
})

describe('backups that have stopped', () => {
  test('are a notice for owners, which leads to the guide, until there is one', async (t) => {
    await db.updateTable('operators').set({ created_at: 0 }).execute()
    const page = await dashboard.visitSignedIn(t, { colorScheme: 'dark' })

    await page.goto(ERASURES)
    const notice = page.getByRole('note')
    await notice.getByText('This installation has never been backed up.').waitFor()
    await assertSound(page)
    const guide = await notice.getByRole('link', { name: 'Set up daily backups' }).getAttribute('href')
    assert.equal(guide, '/docs/operating#back-up')
    assert.match(await (await fetch(service.url + guide)).text(), /<h2 id="back-up">/)

    const { store } = service.server.operator!.deps.inspection
    await store.noteBackup(Date.UTC(2026, 4, 3, 12))
    await page.reload()
    await notice.getByText('The last backup was made on 3 May 2026').waitFor()
    await store.noteBackup(Date.now())
    await Promise.all([page.waitForResponse('**/operator/upkeep'), page.reload()])
    await page.getByRole('button', { name: 'Erase a person’s data' }).waitFor()
    await notice.waitFor({ state: 'detached' })
  })
})
