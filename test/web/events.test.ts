import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })

async function createEvent(page: Page, name: string): Promise<string> {
  await page.goto(dashboard.at('/events/new'))
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create event' }).click()
  await page.getByRole('heading', { name: `${name} is ready` }).waitFor()
  return (await page.getByText(/^trk_/).first().textContent())!
}

describe('an event', () => {
  test('shows its token, commands and a QR code once it is created', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/events'))

    await page.getByRole('link', { name: 'New event' }).click()
    await page.getByLabel('Name').fill('Trail 2026')
    await page.getByLabel('First day').fill('2026-05-02')
    await page.getByLabel('Last day').fill('2026-05-03')
    await page.getByLabel('Note').fill('Start at the lake')
    await assertSound(page)
    await page.getByRole('button', { name: 'Create event' }).click()

    await page.getByRole('heading', { name: 'Trail 2026 is ready' }).waitFor()
    const token = await page.getByText(/^trk_/).first().textContent()
    await page.getByText(`X-API-Key: ${token}`).first().waitFor()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await assertSound(page)
    const answer = await fetch(`${dashboard.service.url}/tracks`, { headers: { 'X-API-Key': token! } })
    assert.equal(answer.status, 200)
  })

  test('is refused without a name, and with days in the wrong order', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at('/events/new'))
    await page.getByLabel('First day').fill('2026-05-03')
    await page.getByLabel('Last day').fill('2026-05-02')
    await page.getByRole('button', { name: 'Create event' }).click()

    await page.getByText('Enter a name').waitFor()
    await page.getByText('The last day is before the first day').waitFor()
    await assertSound(page)
  })

  test('without tracks explains how to add the first one', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await createEvent(page, 'Quiet')

    await page.getByRole('link', { name: 'Open live map' }).click()

    await page.getByRole('heading', { name: 'No tracks yet' }).waitFor()
    await assertSound(page)
    await page.getByRole('link', { name: 'View tokens' }).click()
    await page.getByRole('button', { name: 'New token' }).waitFor()
  })

  test('is renamed and limited in its settings', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await createEvent(page, 'Before')
    await page.getByRole('link', { name: 'Open live map' }).click()

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name').fill('After')
    await page.getByLabel('Maximum tracks').fill('12')
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
    await assertSound(page)
    await page.reload()
    assert.equal(await page.getByLabel('Maximum tracks').inputValue(), '12')
  })

  test('is deleted only after its name has been typed', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await createEvent(page, 'Short-lived')
    await page.getByRole('link', { name: 'Open live map' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()

    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type the name').fill('Short')
    assert.equal(await dialog.getByRole('button', { name: 'Delete event' }).isDisabled(), true)
    await assertSound(page)
    await dialog.getByLabel('Type the name').fill('Short-lived')
    await dialog.getByRole('button', { name: 'Delete event' }).click()

    await page.getByText('Deleted Short-lived').waitFor()
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Short-lived' }).count(), 0)
  })

  test('that does not exist is not found', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at('/events/0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77/tracks'))

    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await assertSound(page)
  })
})

describe('the tokens of an event', () => {
  const works = async (token: string) => {
    const { status } = await fetch(`${dashboard.service.url}/tracks`, { headers: { 'X-API-Key': token } })
    return status === 200
  }

  test('are created, shown again and revoked', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const first = await createEvent(page, 'Two teams')
    await page.getByRole('link', { name: 'Open live map' }).click()
    await page.getByRole('link', { name: 'Tokens' }).click()

    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Label').fill('Timing team')
    await page.getByRole('button', { name: 'Create token' }).click()
    const second = (await page.getByRole('dialog').getByText(/^trk_/).first().textContent())!
    await assertSound(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    assert.deepEqual([await works(first), await works(second)], [true, true])

    await page.getByRole('button', { name: 'Show token: Timing team' }).click()
    await page.getByRole('dialog').getByText(second).first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Revoke token: Timing team' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()

    await page.getByText('Token revoked').waitFor()
    await assertSound(page)
    assert.deepEqual([await works(first), await works(second)], [true, false])
  })

  test('are replaced immediately if the operator chooses so', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const old = await createEvent(page, 'Leaked')
    await page.getByRole('link', { name: 'Open live map' }).click()
    await page.getByRole('link', { name: 'Tokens', exact: true }).click()

    await page.getByRole('button', { name: 'Replace all' }).click()
    await page.getByLabel('Old tokens expire').selectOption('Immediately')
    await page.getByRole('button', { name: 'Replace tokens' }).click()
    const made = (await page.getByRole('dialog').getByText(/^trk_/).first().textContent())!

    assert.deepEqual([await works(old), await works(made)], [false, true])
  })
})
