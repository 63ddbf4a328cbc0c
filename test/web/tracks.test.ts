import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'
import { walkPoints } from './recorded-walk.ts'

const START_MS = Date.UTC(2026, 4, 3, 6, 15)
const dashboard = await openDashboard({ after })
const { service } = dashboard
const tracksOf = (eventId: string) => dashboard.at(`/events/${eventId}/tracks`)

async function sync(title: string, points: object[], more: object = {}): Promise<string> {
  const track = { device_track_id: title, title, ...more }
  const answer = await service.request('POST', '/sync', { track, points })
  return ((await answer.json()) as { track_id: string }).track_id
}

describe('the list of tracks', () => {
  before(async () => {
    for (let number = 1; number <= 130; number++) {
      const points = walkPoints(3, { startMs: START_MS + number * 60_000 })
      await sync(`Loop ${number}`, points, { activity_type: number === 7 ? 'bike' : 'walk' })
    }
  })

  test('starts with the newest track, and keeps only visible rows in the DOM', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(tracksOf(service.eventId))

    const table = page.getByRole('table', { name: 'Tracks' })
    await table.getByRole('link', { name: 'Loop 130', exact: true }).waitFor()
    assert.equal(await table.getAttribute('aria-rowcount'), '131')
    assert.ok((await table.getByRole('row').count()) < 60)
    await assertSound(page)
  })

  test('loads further tracks while scrolling', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(tracksOf(service.eventId))
    await page.getByText('100 of 130 tracks loaded').waitFor()

    await page.getByRole('region', { name: 'Tracks' }).focus()
    await page.keyboard.press('End')
    await page.getByText('130 tracks', { exact: true }).waitFor()
    await page.keyboard.press('End')

    await page.getByRole('link', { name: 'Loop 1', exact: true }).waitFor()
  })

  test('is searched, and keeps the search in the address', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(tracksOf(service.eventId))

    await page.getByLabel('Search').fill('loop 77')
    await page.getByText('1 track', { exact: true }).waitFor()
    await page.reload()

    await page.getByRole('link', { name: 'Loop 77' }).waitFor()
    assert.equal(await page.getByLabel('Search').inputValue(), 'loop 77')
  })

  test('is filtered, and shows that no track matches', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(tracksOf(service.eventId))

    await page.getByLabel('Activity').selectOption('Ride')
    await page.getByText('1 track', { exact: true }).waitFor()
    await page.getByLabel('Status').selectOption('paused')
    await page.getByRole('heading', { name: 'No matching tracks' }).waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Clear filters' }).click()

    await page.getByText('100 of 130 tracks loaded').waitFor()
  })

  test('is sorted by a column', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(tracksOf(service.eventId))

    await page.getByRole('button', { name: 'Title' }).click()

    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    assert.match(page.url(), /sort=title/)
  })
})

describe('the page of a track', () => {
  const far = { latitude: 46.2, longitude: 6.86, timestamp: new Date(START_MS + 155_000).toISOString() }
  let id: string
  before(async () => {
    id = await sync('Around the lake', [...walkPoints(200, { startMs: START_MS }), far])
  })

  test('shows statistics and their provenance', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at(`/tracks/${id}`))
    await page.getByRole('heading', { name: 'Around the lake', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'How it is calculated: Distance' }).click()

    await page.getByText('Sum of the surface distances').waitFor()
    await page.getByRole('row', { name: /^1 / }).first().waitFor()
    await page.getByText('1 point jumps away and back').waitFor()
    await page.getByRole('slider', { name: 'Position on the track' }).waitFor()
    await assertSound(page)
  })

  test('shows the values at a point by keyboard', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/tracks/${id}`))

    const slider = page.getByRole('slider', { name: 'Position on the track' })
    await slider.focus()
    await page.keyboard.press('End')

    assert.match((await slider.getAttribute('aria-valuetext'))!, /2\.\d\d km · .* m · 5\.1 km\/h/)
  })

  test('lists the raw points, and marks excluded ones', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/tracks/${id}`))

    await page.getByRole('button', { name: 'Show raw points' }).click()

    await page.getByText('200 of 201 points loaded').or(page.getByText('201 of 201 points loaded')).waitFor()
    await page.getByRole('cell', { name: 'jump' }).waitFor()
    await assertSound(page)
  })

  test('downloads the track as GPX', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/tracks/${id}`))

    await page.getByRole('button', { name: 'Download' }).click()
    await assertSound(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'GPX' }).click(),
    ])

    assert.match(download.suggestedFilename(), /\.gpx$/)
  })

  test('deletes the track after its title has been typed', async (t) => {
    const doomed = await sync('To be deleted', walkPoints(3, { startMs: START_MS }))
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/tracks/${doomed}`))

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByLabel('Type the title').fill('To be deleted')
    await assertSound(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()

    await page.getByText('Deleted To be deleted').waitFor()
    assert.equal((await service.request('GET', `/tracks/${doomed}`)).status, 404)
  })

  test('explains that a track has no points', async (t) => {
    const empty = await sync('Empty', [])
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at(`/tracks/${empty}`))

    await page.getByRole('heading', { name: 'No points yet' }).waitFor()
    await assertSound(page)
  })
})
