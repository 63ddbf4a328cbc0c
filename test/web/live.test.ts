import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'
import { walkPoints } from './recorded-walk.ts'

const dashboard = await openDashboard({ after })
const { service } = dashboard

async function startTrack(title: string): Promise<string> {
  const answer = await service.request('POST', '/tracks', { device_track_id: title, title })
  return ((await answer.json()) as { id: string }).id
}
const sendPoints = (id: string, points: object[]) => service.request('POST', `/tracks/${id}/points`, { points })

async function share(page: Page): Promise<string> {
  await page.getByLabel('Label').fill('Families')
  await page.getByRole('button', { name: 'Create link' }).click()
  const address = await page
    .getByRole('dialog')
    .getByText(/^https?:/)
    .textContent()
  await page.getByRole('button', { name: 'Done' }).click()
  return address!
}

describe('the live map', () => {
  test('shows a track once it starts, and its points as they arrive', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/events/${service.eventId}`))
    await page.getByRole('heading', { name: 'No tracks yet' }).waitFor()
    await page.getByRole('button', { name: 'Try it in a terminal' }).click()
    await page.getByText(`X-API-Key: ${service.token}`).first().waitFor()
    await assertSound(page)

    const id = await startTrack('On the way')
    const entry = page.getByRole('button', { name: /On the way/ })
    await entry.getByText('no points yet').waitFor()
    // The clock of this phone is fast.
    await sendPoints(id, walkPoints(3, { startMs: Date.now() + 60_000 }))

    await entry.getByText(/^just now · .*5\.0 km\/h$/).waitFor()
    await page.getByRole('region', { name: 'Map of tracks in progress' }).waitFor()
    await assertSound(page)
  })

  test('links from a track to its page', async (t) => {
    await startTrack('To be looked at')
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/events/${service.eventId}`))

    await page.getByRole('button', { name: /To be looked at/ }).click()
    await page.getByRole('button', { name: 'Follow on map', pressed: true }).waitFor()
    await page.getByRole('link', { name: 'View track' }).click()

    await page.getByRole('heading', { name: 'To be looked at', level: 1 }).waitFor()
  })
})

describe('a share link', () => {
  test('shows an event live to spectators until it is revoked', async (t) => {
    const id = await startTrack('Watched')
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/events/${service.eventId}/sharing`))
    await page.getByRole('button', { name: 'Share event' }).click()
    const address = await share(page)
    await assertSound(page)

    const spectator = await dashboard.visit(t)
    await spectator.goto(address)
    await sendPoints(id, walkPoints(3, { startMs: Date.now() - 60_000 }))
    await spectator
      .getByRole('button', { name: /Watched/ })
      .getByText('5.0 km/h')
      .waitFor()
    await assertSound(spectator)

    await page.getByRole('button', { name: 'Revoke share link: Families' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await spectator.getByRole('heading', { name: 'No longer shared' }).waitFor()
    await assertSound(spectator)
  })

  test('of a track shows only that track', async (t) => {
    const id = await startTrack('Alone')
    await sendPoints(id, walkPoints(30, { startMs: Date.now() - 400_000 }))
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/tracks/${id}`))
    await page.getByRole('button', { name: 'Share' }).click()
    const address = await share(page)

    const spectator = await dashboard.visit(t)
    await spectator.goto(address)

    await spectator.getByRole('heading', { name: 'Alone', level: 1 }).waitFor()
    await spectator.getByRole('slider', { name: 'Position on the track' }).waitFor()
    assert.equal(await spectator.getByText('Watched').count(), 0)
    await assertSound(spectator)
  })
})
