import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { readDeviceFile } from '../support/read-device-file.ts'
import { trackRequests } from '../support/track-requests.ts'
import { assertSound } from '../support/visit.ts'
import { walkPoints } from './recorded-walk.ts'

const START_MS = Date.UTC(2026, 4, 3, 6, 15)
const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard
const tracksOf = (eventId: string) => dashboard.at(`/events/${eventId}/tracks`)

const phone = trackRequests(service.request)
const sync = (title: string, points: object[], more: object = {}) => phone.sync({ track: { title, ...more }, points })

describe('the list of tracks', async () => {
  for (let number = 1; number <= 105; number++) {
    const points = walkPoints(3, { startMs: START_MS + number * 60_000 })
    await sync(`Loop ${number}`, points, { activity_type: number === 7 ? 'bike' : 'walk' })
  }
  const page = await dashboard.visitSignedIn({ after })

  test('starts with the newest track, and keeps only visible rows in the DOM', async () => {
    await page.goto(tracksOf(service.eventId))

    const table = page.getByRole('table', { name: 'Tracks' })
    await table.getByRole('link', { name: 'Loop 105', exact: true }).waitFor()
    assert.equal(await table.getAttribute('aria-rowcount'), '106')
    assert.ok((await table.getByRole('row').count()) < 60)
    await assertSound(page)
  })

  test('loads further tracks while scrolling', async () => {
    await page.getByText('100 of 105 tracks loaded').waitFor()

    await page.getByRole('region', { name: 'Tracks' }).focus()
    // The browser scrolls in steps, and gives up where the page has no processor for a while.
    for (const all = page.getByText('105 tracks', { exact: true }); !(await all.isVisible()); ) {
      await page.keyboard.press('End')
      await page.waitForTimeout(100)
    }
    await page.keyboard.press('End')

    await page.getByRole('link', { name: 'Loop 1', exact: true }).waitFor()
  })

  test('is searched, and keeps the search in the address', async () => {
    await page.getByLabel('Search').fill('loop 77')
    await page.getByText('1 track', { exact: true }).waitFor()
    await page.reload()

    await page.getByRole('link', { name: 'Loop 77' }).waitFor()
    assert.equal(await page.getByLabel('Search').inputValue(), 'loop 77')
    await page.getByLabel('Search').fill('')
  })

  test('is filtered, and shows that no track matches', async () => {
    await page.getByLabel('Activity').selectOption('Ride')
    await page.getByText('1 track', { exact: true }).waitFor()
    await page.getByLabel('Status').selectOption('paused')
    await page.getByRole('heading', { name: 'No matching tracks' }).waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Clear filters' }).click()

    await page.getByText('100 of 105 tracks loaded').waitFor()
  })

  test('is sorted by a column', async () => {
    await page.getByRole('button', { name: 'Name' }).click()

    await page.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await page.waitForURL(/sort=title/)
  })
})

describe('the page of a track', async () => {
  const far = { latitude: 46.2, longitude: 6.86, timestamp: new Date(START_MS + 155_000).toISOString() }
  const page = await dashboard.visitSignedIn({ after })
  let id: string
  before(async () => {
    id = await sync('Around the lake', [...walkPoints(200, { startMs: START_MS }), far])
  })

  test('has distance, duration, pace and climb first, then statistics with their provenance, and raw points', async () => {
    await dashboard.go(page, dashboard.at(`/tracks/${id}`))
    await page.getByRole('heading', { name: 'Around the lake', level: 1 }).waitFor()

    const figures = page.getByRole('region', { name: 'Key figures' })
    await figures.waitFor()
    // The moving pace stands beside the elapsed one.
    assert.match(
      (await figures.textContent())!,
      /Distance2\.\d\d km.*Duration.*moving.*Pace\d+:\d\d \/km.*\/km moving.*Elevation gain/,
    )
    await page.getByRole('region', { name: 'Profile' }).waitFor()
    const regions = await page.getByRole('region').evaluateAll((all) => all.map((each) => each.ariaLabel))
    assert.ok(regions.indexOf('Key figures') < regions.indexOf('Profile'), regions.join())

    await page.getByRole('button', { name: 'How it is calculated: Distance' }).click()
    await page.getByText('Sum of the surface distances').waitFor()
    await page.getByRole('button', { name: 'Show 1 km on map and profile' }).waitFor()
    await page.getByText('1 point jumps away and back').waitFor()
    await page.getByRole('slider', { name: 'Position on the track' }).waitFor()
    await assertSound(page)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Show raw points' }).click()
    await page.getByText('200 of 201 points loaded').or(page.getByText('201 of 201 points loaded')).waitFor()
    await page.getByRole('cell', { name: 'jump' }).waitFor()
    await assertSound(page)
  })

  test('is walked along by keyboard, with the values and the split at the cursor', async () => {
    const slider = page.getByRole('slider', { name: 'Position on the track' })
    const at = (index: number) => page.locator(`[role="slider"][aria-valuenow="${index}"]`).waitFor()

    await slider.press('End')
    await becomes(() => slider.getAttribute('aria-valuetext'), /2\.\d\d km · .* m · .*11:\d\d \/km/)
    await slider.press('Home')
    await at(0)
    await slider.press('PageUp')
    await slider.press('PageUp')
    await at(40)
    await slider.press('PageDown')
    await at(20)

    await page.locator('tr[data-at-cursor]').getByRole('button', { name: 'Show 1 km on map and profile' }).waitFor()
    const second = page.getByRole('button', { name: 'Show 2 km on map and profile' })
    await second.click()
    await becomes(() => second.getAttribute('aria-pressed'), 'true')
    await page.keyboard.press('Enter')
    await becomes(() => second.getAttribute('aria-pressed'), 'false')
  })

  test('has speeds on a bike, and miles and feet by choice, also after a reload', async (t) => {
    const ride = await sync('By bike', walkPoints(200, { startMs: START_MS }), { activity_type: 'bike' })
    const page = await dashboard.visitSignedIn(t)
    await dashboard.go(page, dashboard.at(`/tracks/${ride}`))
    const figures = page.getByRole('region', { name: 'Key figures' })
    await figures.getByText(/^\d\.\d km\/h$/).waitFor()

    await page.getByRole('button', { name: 'Units' }).click()
    await page.getByRole('menuitem', { name: 'Miles and feet' }).click()
    await figures.getByText(/^\d\.\d mph$/).waitFor()
    await page.reload()

    await figures.getByText(/^1\.\d\d mi$/).waitFor()
    await page.getByRole('button', { name: 'Show 1 mi on map and profile' }).waitFor()
    await assertSound(page)
  })

  test('claims no higher point than its profile has, and says what it leaves out', async () => {
    const { points } = await readDeviceFile('activity-small-fenix2-run.fit')
    const run = await sync('Fenix', points, { activity_type: 'run' })

    await dashboard.go(page, dashboard.at(`/tracks/${run}`))

    await page.getByText('highest 82 m at 8.65 km').waitFor()
    await page.getByRole('region', { name: 'Statistics' }).getByText('82 m').waitFor()
    await page.getByRole('img', { name: /^Pace, fastest 2:48 \/km/ }).waitFor()
    await page.getByRole('region', { name: 'Statistics' }).getByText('2:48 /km').waitFor()
    await page.getByText('3 altitudes leap away and back').waitFor()
  })

  test('invents no axes and no zeros for one point, nor climbs without altitudes', async () => {
    const single = await sync('One point', walkPoints(1, { startMs: START_MS }))
    const flat = walkPoints(200, { startMs: START_MS }).map((point) => ({ ...point, altitude: null }))
    const level = await sync('No altitudes', flat)

    await dashboard.go(page, dashboard.at(`/tracks/${single}`))
    const figures = page.getByRole('region', { name: 'Key figures' })
    await figures.waitFor()
    assert.equal(await figures.getByText('–', { exact: true }).count(), 4)
    assert.equal(await page.getByRole('region', { name: 'Profile' }).count(), 0)
    assert.equal(await page.getByText(/\b0 m\b/).count(), 0)
    await dashboard.go(page, dashboard.at(`/tracks/${level}`))

    await page.getByRole('img', { name: /^Pace/ }).waitFor()
    assert.equal(await page.getByRole('img', { name: /^Elevation/ }).count(), 0)
    assert.equal(await page.getByRole('columnheader', { name: 'Gain' }).count(), 0)
    await page.getByText(/\/km throughout/).waitFor()
    assert.equal(await page.getByText(/\b0 m\b/).count(), 0)
  })

  test('says which part of a trimmed track is shown, and that the ends are kept', async () => {
    const points = walkPoints(200, { startMs: START_MS })
    const trimmed = await sync('Trimmed', points)
    const part = { shown_from: points[50].timestamp, shown_until: points[149].timestamp }
    await service.answer(200, 'PATCH', `/operator/tracks/${trimmed}`, part)

    await dashboard.go(page, dashboard.at(`/tracks/${trimmed}`))

    await page.getByText(/^Only the part from 3 May 2026, \d\d:\d\d\sUTC to .* is shown and counted/).waitFor()
    await page.getByText(/Whole recording: 2\.\d\d km in 33:10/).waitFor()
    await page.getByRole('region', { name: 'Key figures' }).getByText('16:30', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show 1 km on map and profile' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Show 2 km on map and profile' }).count(), 0)
    await assertSound(page)
  })

  test('keeps everything within a phone at 200 % text', async (t) => {
    const page = await dashboard.visitSignedIn(t, { viewport: { width: 390, height: 844 }, drawsMaps: true })
    await dashboard.go(page, dashboard.at(`/tracks/${id}`))
    await page.getByRole('region', { name: 'Key figures' }).waitFor()

    await page.evaluate("document.documentElement.style.fontSize = '200%'")

    // The map and the charts follow a moment later.
    await page.waitForTimeout(500)
    const widthPx = () => page.evaluate<number>('document.documentElement.scrollWidth')
    await becomes(widthPx, await page.evaluate<number>('document.documentElement.clientWidth'))
    for (const [place, heading] of [
      ['phones', 'Put phones on the map'],
      ['settings', 'Delete event'],
    ]) {
      await page.goto(dashboard.at(`/events/${dashboard.service.eventId}/${place}`))
      await page.getByRole('heading', { name: heading }).waitFor()
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      await becomes(widthPx, await page.evaluate<number>('document.documentElement.clientWidth'))
    }
  })

  test('speaks of D+ and D− and « Temps » in French', async (t) => {
    const page = await dashboard.visitSignedIn(t, { locale: 'fr-FR' })

    await dashboard.go(page, dashboard.at(`/tracks/${id}`))

    await page.getByRole('columnheader', { name: 'D+' }).waitFor()
    await page.getByRole('columnheader', { name: 'D−' }).waitFor()
    await page.getByRole('radiogroup', { name: 'Axe horizontal' }).getByText('Temps').waitFor()
    await page
      .getByText(/en mouvement$/)
      .first()
      .waitFor()
  })

  test('deletes the track after its title has been typed', async () => {
    const doomed = await sync('To be deleted', walkPoints(3, { startMs: START_MS }))
    await dashboard.go(page, dashboard.at(`/tracks/${doomed}`))

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByLabel('Type the title').fill('To be deleted')
    await assertSound(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()

    await page.getByText('Deleted To be deleted').waitFor()
    assert.equal((await service.request('GET', `/tracks/${doomed}`)).status, 404)
  })

  test('says that its points are damaged', async (t) => {
    const id = await sync('Rotten', walkPoints(20, { startMs: START_MS }))
    const { db, compactor } = service.server.tracks!.deps
    await compactor.settled()
    await db
      .updateTable('chunks')
      .set({ bytes: new Uint8Array(40) })
      .where('track_id', '=', id)
      .execute()
    const page = await dashboard.visitSignedIn(t)
    let refused = 0
    page.on('response', (response) => void (response.status() === 500 && refused++))

    await dashboard.go(page, dashboard.at(`/tracks/${id}`))

    await page.getByText('Stored points of this track are damaged and cannot be read').first().waitFor()
    await page.getByText('admin storage repair').first().waitFor()
    // Asking for them again would only take time.
    assert.ok(refused <= 3, `${refused}`)
  })

  test('explains that a track has no points', async () => {
    const empty = await sync('Empty', [])

    await dashboard.go(page, dashboard.at(`/tracks/${empty}`))

    await page.getByRole('heading', { name: 'No points yet' }).waitFor()
    await assertSound(page)
  })
})
