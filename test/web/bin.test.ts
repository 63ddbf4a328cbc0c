import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { assertStatus, makeWorkspace, publishTo } from '../support/dashboard-library.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { trackRequests } from '../support/track-requests.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service, at } = dashboard

const phone = trackRequests(service.request)
const startTrack = (title: string) => phone.create({ title, activity_type: 'run' })

describe('a deletion in the dashboard', () => {
  test('is undone in its notice, or on the page of the bin', async (t) => {
    const [id, other] = [await startTrack('Anna'), await startTrack('Bob')]
    const page = await dashboard.visitSignedIn(t)
    const remove = async (trackId: string, name: string) => {
      await dashboard.go(page, at(`/tracks/${trackId}`))
      await page.getByRole('button', { name: 'Delete' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('You can restore it from the bin for 7 days.').waitFor()
      await dialog.getByRole('textbox').fill(name)
      await dialog.getByRole('button', { name: 'Delete' }).last().click()
    }

    await remove(id, 'Anna')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Restored Anna').waitFor()
    assert.equal((await service.request('GET', `/tracks/${id}`)).status, 200)
    await remove(other, 'Bob')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await dashboard.go(page, at('/events'))
    await page.getByRole('link', { name: 'Bin' }).click()
    await page.getByText('What you delete stays here for 7 days').waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Restore Bob' }).click()

    await page.getByText('The bin is empty').waitFor()
    assert.equal((await service.request('GET', `/tracks/${other}`)).status, 200)
  })

  test('puts publications into the bin of their workspace, which gives them back or ends them, in French and narrow, too', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const { path, apiKey } = await makeWorkspace(dashboard, 'Binned')
    const [plan, menu] = [await publishTo(dashboard, apiKey, 'Plan'), await publishTo(dashboard, apiKey, 'Menu')]
    await page.goto(at(`/publications/${plan.id}`))
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You can restore it from the bin for 7 days.').waitFor()
    await dialog.getByLabel('Type the title').fill('Plan')
    await dialog.getByRole('button', { name: 'Delete publication' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Restored Plan').waitFor()
    await page.getByRole('link', { name: 'Plan', exact: true }).first().waitFor()
    await assertStatus(plan.public_url, 200)

    await dashboard.go(page, at(`${path}?view=table`))
    for (const title of ['Plan', 'Menu']) await page.getByRole('checkbox', { name: `Select ${title}` }).check()
    await page.getByRole('group', { name: 'Selected publications' }).getByRole('button', { name: 'Delete…' }).click()
    await dialog.getByText('You can restore them from the bin for 7 days.').waitFor()
    await dialog.getByRole('textbox').fill('2')
    await dialog.getByRole('button', { name: 'Delete 2 publications' }).click()
    await page.getByRole('heading', { name: 'No publications yet' }).waitFor()
    await assertStatus(menu.public_url, 404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 publications restored').waitFor()
    await assertStatus(menu.public_url, 200)
    await page.getByRole('link', { name: 'Bin' }).click()
    await page.getByText('The bin is empty').waitFor()
    assert.match(await page.title(), /^Bin · Binned/)
    const byOthers = (method: string, place: string) => service.answer(204, method, place)
    for (const { id } of [menu, plan]) await byOthers('DELETE', `/operator/publications/${id}`)
    await page.getByText('What you delete stays here for 7 days').waitFor()
    await page.getByRole('button', { name: 'Restore Plan' }).waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Restore Menu' }).click()
    await page.getByText('Restored Menu').waitFor()
    await assertStatus(menu.public_url, 200)
    await byOthers('POST', `/operator/bin/publications/${plan.id}/restore`)
    await page.getByText('The bin is empty').waitFor()
    await byOthers('DELETE', `/operator/publications/${plan.id}`)
    await page.getByRole('button', { name: 'Restore Plan' }).waitFor()

    const french = await dashboard.visitSignedIn(t, { locale: 'fr-FR', viewport: { width: 390, height: 844 } })
    await french.goto(at(`${path}/bin`))
    await french.getByRole('button', { name: 'Supprimer définitivement Plan' }).click()
    await french.getByRole('dialog').getByText('Cette action est irréversible.').waitFor()
    await assertSound(french)
    await french.getByRole('dialog').getByRole('button', { name: 'Supprimer définitivement' }).click()

    await french.getByText('La corbeille est vide').waitFor()
    await page.getByText('The bin is empty').waitFor()
    const trackId = await startTrack('Chloé')
    await byOthers('DELETE', `/operator/tracks/${trackId}`)
    await dashboard.go(french, at('/events/bin'))
    await french.getByRole('button', { name: 'Supprimer définitivement Chloé' }).click()
    await french.getByRole('dialog').getByText('Cette action est irréversible.').waitFor()
    await french.getByRole('dialog').getByRole('button', { name: 'Supprimer définitivement' }).click()
    await french.getByText('La corbeille est vide').waitFor()
  })
})
