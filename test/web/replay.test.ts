import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { trackRequests } from '../support/track-requests.ts'
import { assertSound, WITH_MAP } from '../support/visit.ts'
import { walkPoints } from './recorded-walk.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard
const phone = trackRequests(service.request)
const START_MS = Date.UTC(2026, 4, 3, 6)

/** Records a walk of so many points, ten seconds apart, and finishes it. */
async function recordWalk(title: string, startMs: number, points: number): Promise<void> {
  const start_ts = new Date(startMs).toISOString()
  const id = await phone.create({ title, start_ts })
  await phone.add(id, walkPoints(points, { startMs }))
  await phone.finish(id)
}

const valueText = (page: Page) => page.getByRole('slider').getAttribute('aria-valuetext')
const runners = (page: Page) => page.getByRole('region', { name: 'Runners, furthest first' }).getByRole('button')

describe('the replay of an event', async () => {
  const page = await dashboard.visitSignedIn({ after }, WITH_MAP)

  test('explains itself while there is nothing to replay', async () => {
    await page.goto(dashboard.at(`/events/${service.eventId}/replay`))

    await page.getByRole('heading', { name: 'Nothing to replay yet' }).waitFor()
    await assertSound(page)
  })

  test('plays with a common start: the one who goes further leads, those who have finished stay', async () => {
    await recordWalk('Anna', START_MS, 40)
    await recordWalk('Bea', START_MS + 120_000, 60)
    await page.goto(dashboard.at(`/events/${service.eventId}`))
    await page.getByRole('link', { name: 'Replay' }).click()
    await page.getByText('Common start').click()
    await becomes(() => valueText(page), '0:00')

    await page.getByLabel('Speed').selectOption('600×')
    // A map that has no size for a while, as before its first layout, is painted once it has one.
    const map = page.locator('.maplibregl-map')
    await map.evaluate((element) => element.style.setProperty('display', 'none'))
    await page.getByRole('button', { name: 'Play' }).click()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await map.evaluate((element) => element.style.removeProperty('display'))

    await page.getByRole('status').filter({ hasText: '9:50. Bea leads with 837 m. 2 have finished' }).waitFor()
    await becomes(() => valueText(page), '9:50')
    assert.deepEqual(
      (await runners(page).allInnerTexts()).map((text) => text.split('\n').map((part) => part.trim())),
      [
        ['1', 'Bea', '837 m · 9:50'],
        ['2', 'Anna', '553 m · 6:30'],
      ],
    )
    await assertSound(page)
  })

  test('is moved by the keyboard, and tells screen readers the time and the leader', async () => {
    await page.goto(dashboard.at(`/events/${service.eventId}/replay`))
    await page.getByRole('slider', { name: 'Time of the replay' }).waitFor()

    await page.keyboard.press('End')
    await becomes(() => valueText(page), /^06:11:50/)
    await page.keyboard.press('Home')
    await becomes(() => valueText(page), /^06:00:00/)
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight')
    await becomes(() => valueText(page), /^06:01:00/)
    await page
      .getByRole('status')
      .filter({ hasText: /^06:01:00.*\. Anna leads with 8\d m$/ })
      .waitFor()
    await runners(page).filter({ hasText: 'Bea' }).getByText('not started').waitFor()

    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Play' }).waitFor()
  })

  test('moves in steps for those who want less motion, and fits a phone', async (t) => {
    const phone = { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' as const, locale: 'fr-FR' }
    const page = await dashboard.visitSignedIn(t, phone)
    await page.goto(dashboard.at(`/events/${service.eventId}/replay`))
    await page.getByText('Départ commun').click()
    await page.getByLabel('Vitesse').selectOption('600 ×')
    await page.getByRole('button', { name: 'Lire' }).click()
    await page.getByRole('button', { name: 'Lire' }).waitFor()

    await becomes(() => valueText(page), '9:50')
    const tooWidePx = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    assert.ok(tooWidePx <= 0, `${tooWidePx} px too wide`)
    await assertSound(page)
  })

  test('is a tab of the page for spectators', async (t) => {
    const page = await dashboard.visit(t)
    await page.goto(await dashboard.share())

    await page.getByRole('link', { name: 'Replay' }).click()
    await page.getByText('Common start').click()
    await page.keyboard.press('End')

    await runners(page).filter({ hasText: 'Bea' }).getByText('837 m · 9:50').waitFor()
    await assertSound(page)
  })
})
