import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { OperatorRights } from '../../src/operator/model/operator-rights.ts'
import type { Owner } from '../support/databases.ts'
import { openDashboard, PASSWORD } from '../support/open-dashboard.ts'
import { signIn } from '../support/sign-in.ts'
import { storePublication } from '../support/store-publication.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const { service, at } = dashboard
const { eventId, workspaceId } = service
const other = await service.createEvent('Hidden race')
const publication = await storePublication(service)
const track = (await (
  await service.request('POST', '/tracks', { device_track_id: 'phone-1', activity_type: 'walk' })
).json()) as { id: string }

/** Opens a page in which a new operator with these rights is signed in. */
async function visitAs(t: Owner, rights: OperatorRights, locale = 'en-GB'): Promise<Page> {
  const page = await dashboard.visit(t, { locale })
  const [name, value] = (await signIn(service, rights)).cookie.split('=')
  await page.context().addCookies([{ name, value, url: service.url }])
  return page
}

/** Lets it be long ago that anybody confirmed. */
async function forgetConfirmations(): Promise<void> {
  await service.server.operator!.deps.database.db.updateTable('sessions').set({ confirmed_at: 0 }).execute()
}

async function linkNames(page: Page, navigation: string): Promise<string[]> {
  return await page.getByRole('navigation', { name: navigation, exact: true }).getByRole('link').allInnerTexts()
}

describe('an editor of one event', () => {
  test('sees this event alone, no workspaces, edits it, and is told why the rest is fixed', async (t) => {
    const page = await visitAs(t, { role: 'editor', limitedTo: { events: [eventId], workspaces: [] } })

    await page.goto(at('/events'))
    await page.getByRole('link', { name: 'Default' }).waitFor()
    assert.equal(await page.getByText('Hidden race').count(), 0)
    assert.equal(await page.getByRole('link', { name: 'New event' }).count(), 0)
    assert.deepEqual(await linkNames(page, 'Main navigation'), ['Events', 'Workspaces'])
    await assertSound(page)

    await dashboard.go(page, at(`/events/${eventId}/settings`))
    await page.getByLabel('Name').fill('Lake trail')
    assert.ok(await page.getByLabel('Maximum tracks').isDisabled())
    await page.getByText('Only operators with access to all events can change these limits.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete…' }).count(), 0)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Lake trail', level: 1 }).waitFor()
    await assertSound(page)

    await page.goto(at(`/events/${other.id}`))
    await page.getByText('does not exist, or has been deleted').waitFor()
    await page.goto(at('/workspaces'))
    await page.getByText('as soon as an owner gives you access').waitFor()
    await page.goto(at('/operators'))
    await page.getByRole('heading', { name: 'This page is not for your role' }).waitFor()
    await assertSound(page)
  })
})

describe('an editor of one workspace', () => {
  test('begins with the workspaces', async (t) => {
    const page = await visitAs(t, { role: 'editor', limitedTo: { events: [], workspaces: [workspaceId] } })

    await page.goto(at('/'))
    await page.waitForURL(at('/workspaces'))
    assert.deepEqual(await linkNames(page, 'Main navigation'), ['Workspaces', 'Events'])
  })
})

describe('a viewer', () => {
  test('has the pages to look at, and none to change things', async (t) => {
    const page = await visitAs(t, { role: 'viewer', limitedTo: null })

    await page.goto(at(`/events/${eventId}`))
    await page.getByRole('navigation', { name: 'Event pages' }).waitFor()
    assert.deepEqual(await linkNames(page, 'Event pages'), ['Live', 'Participants', 'Course & results', 'Tracks'])
    await dashboard.go(page, at(`/tracks/${track.id}`))
    await page.getByRole('button', { name: 'Download' }).waitFor()
    for (const name of ['Edit', 'Finish', 'Delete']) assert.equal(await page.getByRole('button', { name }).count(), 0)
    await dashboard.go(page, at(`/events/${eventId}/participants`))
    await page.getByText('Nobody has added the start list yet.').waitFor()
    await assertSound(page)
    await dashboard.go(page, at(`/workspaces/${workspaceId}`))
    await page.getByText('Annual report').waitFor()
    assert.equal(await page.locator('input[type="file"]').count(), 0)
    assert.deepEqual(await linkNames(page, 'Workspace pages'), ['Library'])
    await dashboard.go(page, at(`/publications/${publication.id}`))
    await page.getByRole('heading', { name: 'Annual report', level: 1 }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0)
  })

  test('is told on the pages of bookmarks, in French, that they are for others', async (t) => {
    const page = await visitAs(t, { role: 'viewer', limitedTo: null }, 'fr-FR')

    for (const path of [
      `/events/${eventId}/tokens`,
      `/workspaces/${workspaceId}/key`,
      '/events/new',
      '/settings/map',
    ]) {
      await page.goto(at(path))
      await page.getByRole('heading', { name: 'Cette page n’est pas prévue pour votre rôle' }).waitFor()
    }
    await assertSound(page)
  })
})

describe('the confirmation', () => {
  test('is asked for once, keeps what was entered, and goes on with what was asked', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(at('/operators'))
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Camille')
    await page.getByRole('radio', { name: 'Editor' }).check()
    await page.getByRole('radio', { name: 'Only some events and workspaces' }).check()
    await page.getByRole('combobox', { name: 'Events and workspaces' }).fill('hidden')
    await page.getByRole('option', { name: 'Hidden race' }).click()
    await page.keyboard.press('Tab')
    await forgetConfirmations()

    await page.getByRole('button', { name: 'Add operator' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    const password = dialog.getByLabel('Password', { exact: true })
    await password.fill('not the password')
    await assertSound(page)
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('The password is wrong.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('because you did not confirm your identity').waitFor()
    assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Camille')

    await page.getByRole('button', { name: 'Add operator' }).click()
    await password.fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Sign-in link for Camille' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row', { name: /Camille/ })
    await row.getByText('Editor · 1 event').waitFor()

    await row.getByRole('button', { name: 'Change role of Camille' }).click()
    await page.getByRole('radio', { name: 'Owner' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Change role', exact: true }).click()
    await row.getByText('Owner').waitFor()
    await assertSound(page)
  })

  test('is asked for before a token is shown, and the page says so if it is not given', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await forgetConfirmations()

    await page.goto(at(`/workspaces/${workspaceId}/programs`))
    await page.getByRole('button', { name: 'Show key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('because you did not confirm your identity').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')

    await page.getByText(/^pub_.*Created/).waitFor()
    await assertSound(page)
  })
})
