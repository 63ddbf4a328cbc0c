import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { createEvent } from '../support/create-event.ts'
import { LAKE, makeGpx, placeAt } from '../support/make-course.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound, WITH_MAP } from '../support/visit.ts'

const START_MS = Date.UTC(2026, 4, 3, 6)
const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard
const race = await openRace()

type Lap = { mps: number; toM?: number; stop?: { atM: number; sec: number }; hasAltitudes?: boolean; startSec?: number }

/** Points around the lake, 20 m apart. */
function lapPoints({ mps, toM = 4000, stop, hasAltitudes = true, startSec = 0 }: Lap) {
  const points: object[] = []
  for (let meters = 0; meters <= toM; meters += 20) {
    const side = Math.min(3, Math.floor(meters / 1000))
    const along = meters - side * 1000
    const place = [placeAt(along, 0), placeAt(1000, along), placeAt(1000 - along, 1000), placeAt(0, 1000 - along)][side]
    const stoppedSec = stop !== undefined && meters > stop.atM ? stop.sec : 0
    const timestamp = new Date(START_MS + (startSec + stoppedSec + meters / mps) * 1000).toISOString()
    points.push({
      ...place,
      accuracy: 4,
      timestamp,
      ...(hasAltitudes && { altitude: 500 + 40 * Math.sin(meters / 500) }),
    })
  }
  return points
}

/** An event with a course, a start list, and runners on it. */
async function openRace() {
  const { id, phone } = await createEvent(service, { name: 'Lake run' })
  const put = async (part: string, type: string, body: string) =>
    assert.ok((await service.operator.send('PUT', `/operator/events/${id}/${part}`, body, type)).ok)
  await put('course', 'application/gpx+xml', makeGpx(LAKE))
  await put('runners', 'text/csv', 'bib,name,category,user_id\n7,Louis Martin,M,louis\n12,Chloé Petit,F,chloe')
  async function run(user_id: string, points: object[], fields: object = {}): Promise<string> {
    const start_ts = new Date(START_MS).toISOString()
    const trackId = await phone.create({ user_id, title: `Outing of ${user_id}`, start_ts, ...fields })
    if (points.length > 0) await phone.add(trackId, points)
    return trackId
  }
  const louis = await run('louis', lapPoints({ mps: 3 }))
  // Ahead for half of the way, then 200 s at an aid station.
  const chloe = await run('chloe', lapPoints({ mps: 3.4, stop: { atM: 2000, sec: 200 } }))
  await phone.finish(louis)
  await phone.finish(chloe)
  return { run, louis, chloe, address: dashboard.at(`/events/${id}/tracks`) }
}

const compared = (a: string, b: string, more = '') => `${race.address}/compare?a=${a}&b=${b}${more}`
const summaryOf = (page: Page) => page.getByRole('region', { name: 'Who is ahead' })
const slider = (page: Page) => page.getByRole('slider', { name: 'Position on the track' })

describe('the comparison of two tracks', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('is reached from the list of tracks by keyboard, and its address holds both', async () => {
    await dashboard.go(page, race.address)

    await page.getByRole('checkbox', { name: 'Select 7 · Louis Martin for a comparison' }).press('Space')
    await page.getByText('Select a second track.').waitFor()
    await page.getByRole('checkbox', { name: 'Select 12 · Chloé Petit for a comparison' }).press('Space')
    await assertSound(page)
    await page.getByRole('link', { name: 'Compare', exact: true }).press('Enter')

    await page.getByRole('heading', { name: 'Comparison', exact: true }).waitFor()
    await page.getByText('B (12 · Chloé Petit)').or(page.getByText('A (7 · Louis Martin)')).first().waitFor()
    const { searchParams } = new URL(page.url())
    assert.deepEqual([searchParams.get('a'), searchParams.get('b')], [race.louis, race.chloe])
    assert.match(await page.title(), /^Comparison · Lake run/)
  })

  test('tells in words who is ahead and where the lead changes, and shows one place on map, charts and splits', async (t) => {
    const page = await dashboard.visitSignedIn(t, WITH_MAP)
    await dashboard.go(page, compared(race.louis, race.chloe))

    const summary = summaryOf(page)
    await summary.getByText('Compared at the same place of the course.').waitFor()

    // 4 km take 1333 s at 3 m/s, and 1176 s and 200 s of rest at 3.4 m/s.
    const words = (await summary.textContent())!
    assert.match(words, /A \(7 · Louis Martin\) is 0:4[23] ahead at (4\.00|3\.99) km/)
    const leads = await summary.getByRole('listitem').allTextContents()
    assert.equal(leads.length, 2)
    assert.match(leads[0], /^B leads from .* by up to 1:1\d at (1\.99|2\.00) km/)
    assert.match(leads[1], /^A leads from 2\.0\d km .* by up to 2:\d\d at 2\.0\d km/)
    await page.getByRole('region', { name: 'Map of both tracks' }).waitFor()
    await assertSound(page)

    await page.getByRole('button', { name: 'Show 1 km on map and charts' }).press('Enter')
    await page.locator('.map-readout').getByText('ahead: B 0:39').waitFor()
    await slider(page).press('End')

    await becomes(
      () => slider(page).getAttribute('aria-valuetext'),
      /A 22:\d\d · B 22:\d\d · ahead: A 0:4[23] · \d+ m$/,
    )
    const splits = page.getByRole('region', { name: 'Splits' }).getByRole('row')
    const second = (await splits.nth(2).textContent())!
    assert.match(second, /^25:334:54B 0:39B 1:18$/)
    await page.getByRole('img', { name: 'Gap' }).waitFor()
    await page.getByRole('img', { name: 'Elevation' }).waitFor()
  })

  test('counts by the clock on request, and the address says so', async () => {
    const late = await race.run('late', lapPoints({ mps: 3, startSec: 60 }))
    await dashboard.go(page, compared(race.louis, late))
    await summaryOf(page)
      .getByText(/Both are level at/)
      .waitFor()
    await summaryOf(page).getByText('The recording of B goes on').waitFor()

    await page.getByText('By the clock').click()
    await summaryOf(page)
      .getByText(/Louis Martin\) is 1:00 ahead at/)
      .waitFor()
    await page.getByRole('button', { name: 'Swap A and B' }).click()
    await summaryOf(page)
      .getByText(/B \(7 · Louis Martin\) is 1:00 ahead at/)
      .waitFor()

    await page.waitForURL((address) => address.search.endsWith(`a=${late}&b=${race.louis}&by=clock`))
  })

  test('is by distance off the course, also of different activities and without altitudes', async () => {
    const far = lapPoints({ mps: 6, toM: 3000, hasAltitudes: false }).map((point) => ({ ...point, latitude: 46.5 }))
    const ride = await race.run('rider', far, { activity_type: 'bike' })

    await dashboard.go(page, compared(race.louis, ride))

    const summary = summaryOf(page)
    await summary.getByText('Compared at the same distance covered').waitFor()
    await summary.getByText('The activities differ: A is Run, B is Ride.').waitFor()
    await summary.getByText('B has no altitudes.').waitFor()
    await assertSound(page)
  })

  test('begins at the page of a track, and goes on with another one', async () => {
    await dashboard.go(page, dashboard.at(`/tracks/${race.chloe}`))

    await page.getByRole('button', { name: 'Compare with…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Search').fill('louis')
    await dialog.getByRole('button', { name: /12 · Chloé Petit/ }).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: /7 · Louis Martin/ }).click()

    await summaryOf(page)
      .getByText(/B \(7 · Louis Martin\) is 0:4[23] ahead/)
      .waitFor()
  })

  test('says which track has no points, is deleted or missing', async () => {
    const empty = await race.run('empty', [])
    const gone = await race.run('gone', lapPoints({ mps: 3, toM: 100 }))
    await service.answer(204, 'DELETE', `/operator/tracks/${gone}`)

    await dashboard.go(page, compared(race.louis, empty))
    await page.getByText('The comparison appears once points arrive for: Outing of empty.').waitFor()
    await dashboard.go(page, compared(race.louis, gone))
    await page.getByRole('heading', { name: 'A track no longer exists' }).waitFor()
    await assertSound(page)
    await dashboard.go(page, `${race.address}/compare?a=${race.louis}`)
    await page.getByRole('heading', { name: 'Choose two tracks' }).waitFor()
    await page.getByRole('button', { name: 'Choose B…' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /12 · Chloé Petit/ })
      .click()

    await summaryOf(page)
      .getByText(/Louis Martin\) is/)
      .waitFor()
  })
})
