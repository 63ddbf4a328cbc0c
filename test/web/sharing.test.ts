import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { forgetConfirmation, openDashboard, PASSWORD } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard
const sharingPage = dashboard.at(`/events/${service.eventId}/share`)
const families = await dashboard.share({ label: 'Families' })
const finish = await dashboard.share({ label: 'Familles à l’arrivée' })
const sharesAddress = `${service.url}/operator/events/${service.eventId}/shares`

describe('the links of an event', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('stand beside the delay of spectators', async (t) => {
    const { db } = service.server.tracks!.deps
    await page.goto(sharingPage)
    await page.getByText('Spectators see everything at once').waitFor()
    const setDelay = (spectator_delay_sec: number | null) =>
      db.updateTable('events').set({ spectator_delay_sec }).where('id', '=', service.eventId).execute()
    await setDelay(300)
    t.after(() => setDelay(null))
    await page.reload()

    await page.getByText('Spectators see everything 5 min late').waitFor()
  })

  test('have a card with the QR code to download as PNG and SVG, and code that shows the live map on another site', async () => {
    await page.goto(sharingPage)

    await page.getByRole('button', { name: 'QR code, embed: Familles à l’arrivée' }).click()
    const dialog = page.getByRole('dialog', { name: 'Familles à l’arrivée' })
    await dialog.getByRole('img', { name: 'QR code with the share link' }).waitFor()
    const downloads = []
    for (const name of ['Download PNG', 'Download SVG']) {
      const download = page.waitForEvent('download')
      await dialog.getByRole('button', { name }).click()
      downloads.push(await download)
    }

    assert.deepEqual(
      downloads.map((download) => download.suggestedFilename()),
      ['Familles-a-l-arrivee.png', 'Familles-a-l-arrivee.svg'],
    )
    const [png, svg] = await Promise.all(downloads.map(async (download) => readFileSync(await download.path())))
    assert.equal(png.subarray(1, 4).toString(), 'PNG')
    assert.match(svg.toString(), /^<svg /)
    await assertSound(page)
    const code = await dialog.getByText(/^<iframe /).textContent()
    assert.ok(code?.includes(`src="${finish}?embed"`))
    assert.ok(code?.includes('title="Familles à l’arrivée"'))
    await page.keyboard.press('Escape')
  })

  test('are made only after a confirmation', async () => {
    await page.getByRole('button', { name: 'Share event' }).click()
    await page.getByRole('dialog').getByLabel('Label').fill('The press')
    await forgetConfirmation(service)
    await page.getByRole('button', { name: 'Create link' }).click()

    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    const password = dialog.getByLabel('Password', { exact: true })
    await password.waitFor()
    await assertSound(page)
    assert.ok(!(await (await page.request.get(sharesAddress)).text()).includes('The press'))
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')

    await page.getByText('The link is ready to share.').waitFor()
  })

  test('are masked until the operator confirms', async () => {
    await forgetConfirmation(service)
    await page.goto(sharingPage)
    const card = page.getByRole('listitem').filter({ hasText: 'Families' }).first()
    await card.getByText(/^shr_.{4}….{4}$/).waitFor()
    assert.ok(!(await page.content()).includes(new URL(families).pathname))

    await page.getByRole('button', { name: 'Link, QR code, embed: Families' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')

    await page.getByRole('dialog', { name: 'Families' }).getByText(families, { exact: true }).waitFor()
  })
})

describe('an address that no phone can use', () => {
  const warning = 'No phone can open this address'

  test('is warned of next to a share, an app token and an API key, with the setting to change', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(sharingPage)
    await page.getByRole('button', { name: 'QR code, embed: Families' }).click()
    await page
      .getByRole('dialog')
      .getByRole('alert', { name: warning })
      .getByText('BASE_URL', { exact: true })
      .waitFor()
    await page.goto(dashboard.at(`/events/${service.eventId}/settings/developers`))
    await page.getByRole('button', { name: /^Show/ }).first().click()
    await page.getByRole('alert', { name: warning }).getByText('HOST', { exact: true }).waitFor()
    await assertSound(page)
    await page.goto(dashboard.at(`/workspaces/${service.workspaceId}/programs`))
    await page.getByRole('button', { name: 'Show key' }).click()
    await page.getByRole('alert', { name: 'Nobody else can open this address' }).waitFor()
  })

  test('is warned of in French, too', async (t) => {
    const page = await dashboard.visitSignedIn(t, { locale: 'fr-FR' })

    await page.goto(sharingPage)
    await page
      .getByRole('button', { name: /Families/ })
      .first()
      .click()

    await page.getByRole('alert', { name: 'Aucun téléphone ne peut ouvrir cette adresse' }).waitFor()
  })
})
