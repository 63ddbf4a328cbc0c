import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { forgetConfirmation, openDashboard, PASSWORD } from '../support/open-dashboard.ts'
import { readZip } from '../support/read-zip.ts'
import { trackRequests } from '../support/track-requests.ts'
import { assertSound } from '../support/visit.ts'
import { walkPoints } from './recorded-walk.ts'

const START_MS = Date.UTC(2026, 4, 3, 6, 15)
const dashboard = await openDashboard({ after })
const { service } = dashboard
const page = await dashboard.visitSignedIn({ after })

const phone = trackRequests(service.request)
const sync = (title: string, points: object[]) => phone.sync({ track: { title }, points })

/** Chooses an entry of the open menu. @returns the name of the file, and its content */
async function choose(page: Page, name: string | RegExp): Promise<{ file: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()])
  return { file: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

describe('the downloads of a track', () => {
  test('are offered in every format, and named after the title', async () => {
    const id = await sync('Around the lake', walkPoints(5, { startMs: START_MS }))
    await dashboard.go(page, dashboard.at(`/tracks/${id}`))
    const begins = { GPX: '<?xml', FIT: '\u000e', TCX: '<?xml', KML: '<?xml', GeoJSON: '{', CSV: 'timestamp' }

    for (const [format, begin] of Object.entries(begins)) {
      await page.getByRole('button', { name: 'Download' }).click()
      await page.getByRole('menuitem', { name: 'GPX' }).waitFor()
      if (format === 'GPX') await assertSound(page)
      const { file, bytes } = await choose(page, format)

      assert.equal(file, `Around the lake.${format.toLowerCase()}`)
      assert.ok(bytes.toString('latin1').startsWith(begin), format)
    }
  })

  test('leave out the formats that need points if it has none', async () => {
    const id = await sync('Empty', [])
    await dashboard.go(page, dashboard.at(`/tracks/${id}`))

    await page.getByRole('button', { name: 'Download' }).press('Enter')
    await page.getByRole('menuitem', { name: 'GPX' }).waitFor()

    const offered = await page.getByRole('menuitem').allTextContents()
    assert.deepEqual(
      offered.map((text) => text.split(',')[0]),
      ['GPX', 'KML', 'GeoJSON', 'CSV'],
    )
  })
})

describe('the download of all tracks of an event', () => {
  before(async () => {
    await sync('Loop', walkPoints(3, { startMs: START_MS }))
    await sync('loop', walkPoints(3, { startMs: START_MS + 60_000 }))
  })

  test('is an archive with a file for each', async () => {
    await dashboard.go(page, dashboard.at(`/events/${service.eventId}/tracks`))

    await page.getByRole('button', { name: 'Download all' }).press('Enter')
    await page.getByText('All tracks of the event in a ZIP archive').waitFor()
    await assertSound(page)
    await forgetConfirmation(service)
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    await dialog.waitFor()
    await assertSound(page)
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    const [file, bytes] = [(await download).suggestedFilename(), await readFile(await (await download).path())]

    const names = [...(await readZip(bytes)).keys()]
    assert.equal(file, 'Default.zip')
    assert.deepEqual(
      ['Loop.csv', 'loop (2).csv', 'tracks.csv'].filter((name) => !names.includes(name)),
      [],
    )
  })

  test('has French words', async (t) => {
    const page = await dashboard.visitSignedIn(t, { locale: 'fr-FR' })
    await dashboard.go(page, dashboard.at(`/events/${service.eventId}/tracks`))

    await page.getByRole('button', { name: 'Tout télécharger' }).click()

    await page.getByText('une archive ZIP').waitFor()
    await page.getByRole('menuitem', { name: 'FIT, pour les montres' }).waitFor()
  })

  test('is not offered for an event without tracks', async () => {
    const { id } = await service.createEvent('Next year')

    await dashboard.go(page, dashboard.at(`/events/${id}/tracks`))

    await page.getByRole('heading', { level: 2 }).first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Download all' }).count(), 0)
  })
})
