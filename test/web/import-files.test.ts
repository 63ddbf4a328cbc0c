import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { choose, drop } from '../support/dashboard-library.ts'
import { gpxOf, gpxTrack, makeFit, makeGpxRecording, walkEast } from '../support/make-recordings.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const { service } = dashboard
const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 4, 3, 6, 15)

const tracksOf = (eventId: string) => dashboard.at(`/events/${eventId}/tracks`)
const fileOf = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})
/** A recording of its own for each number. */
const recording = (number: number) =>
  fileOf(
    `walk-${number}.gpx`,
    makeGpxRecording({ name: `Walk ${number}`, points: walkEast(20, START_MS + number * DAY_MS) }),
  )

/** Matches the progress of a dozen files once so many have been imported. */
function importedAtLeast(count: number): RegExp {
  const counts = Array.from({ length: 13 - count }, (_, more) => count + more)
  return new RegExp(`\\b(${counts.join('|')}) of 12 imported`)
}

describe('recorded files', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('dropped on an event without tracks become tracks with links to their pages', async () => {
    const { id } = await service.createEvent('Dropped')
    await page.goto(tracksOf(id))
    await page.getByRole('button', { name: 'Import files' }).waitFor()

    await drop(
      page,
      [
        fileOf('day.gpx', gpxOf(gpxTrack({ name: 'Up' }), gpxTrack({ name: 'Down', points: walkEast(9) }))),
        fileOf('run.fit.gz', gzipSync(makeFit([{ points: walkEast(30) }]))),
      ],
      'Drop GPX, TCX, FIT, KML or GeoJSON files to import them',
    )

    const files = page.getByRole('region', { name: 'Imported files' })
    await files.getByRole('link', { name: 'Up' }).waitFor()
    await files.getByText('2 of 2 imported').waitFor()
    await files.getByText('30 points').waitFor()
    assert.equal(await page.locator('.mantine-Dropzone-root[tabindex="0"]').count(), 0)
    await assertSound(page)
    await page.getByRole('table', { name: 'Tracks' }).getByRole('link', { name: 'Down' }).waitFor()
    await files.getByRole('link', { name: 'Down' }).click()
    await page.getByRole('heading', { name: 'Down', level: 1 }).waitFor()
  })

  test('a dozen at once are imported with their progress, also while other pages are open', async () => {
    const { id } = await service.createEvent('A dozen')
    await dashboard.go(page, tracksOf(id))

    await choose(
      page,
      'Import files',
      Array.from({ length: 12 }, (_, number) => recording(number)),
    )
    await page.getByRole('progressbar', { name: 'Progress of all files' }).waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Share', exact: true }).click()
    await page.getByRole('link', { name: 'Tracks', exact: true }).click()

    // Some after some, each in the time of one wait: how long all take depends on how busy the machine is.
    for (let count = 3; count <= 12; count += 3) await page.getByText(importedAtLeast(count)).waitFor()
    await page.getByText('12 tracks').waitFor()
  })

  test('that were imported before are named as duplicates, with a link to the track', async () => {
    const { id } = await service.createEvent('Twice')
    await dashboard.go(page, tracksOf(id))
    await choose(page, 'Import files', [recording(1)])
    await page.getByText('1 of 1 imported').waitFor()

    await choose(page, 'Import files', [{ ...recording(1), name: 'again.gpx' }])

    const again = page.getByRole('listitem').filter({ hasText: 'again.gpx' })
    await again.getByText('This file was imported before.').waitFor()
    await page.getByText('1 of 2 imported · 1 already there').waitFor()
    await again.getByRole('link', { name: 'Open the track' }).click()
    await page.getByRole('heading', { name: 'Walk 1', level: 1 }).waitFor()
  })

  test('that cannot be imported show why, and are not offered again', async () => {
    const { id } = await service.createEvent('Broken')
    await dashboard.go(page, tracksOf(id))
    const fit = makeFit([{ points: walkEast(40) }])

    await choose(page, 'Import files', [
      recording(2),
      fileOf('cut.fit', fit.subarray(0, -20)),
      fileOf('notes.json', 'notes'),
      fileOf('route.gpx', gpxOf('<rte><rtept lat="1" lon="1"/></rte>')),
    ])

    const files = page.getByRole('region', { name: 'Imported files' })
    await files.getByText('The file is cut short.').waitFor()
    await files.getByText('The file is not GPX, TCX, FIT, KML or GeoJSON.').waitFor()
    await files.getByText('The file has a planned route, but no recording.').waitFor()
    await files.getByText('1 of 4 imported · 3 failed').waitFor()
    assert.match((await files.getByRole('listitem').first().textContent()) ?? '', /^cut\.fit/)
    assert.equal(await files.getByRole('button', { name: /^Try again|^Retry/ }).count(), 0)
    await assertSound(page)
    await files.getByRole('button', { name: 'Clear finished' }).click()
    await files.waitFor({ state: 'detached' })
  })

  test('are cancelled one by one and together, and retried after a failure', async () => {
    const { id } = await service.createEvent('Cancelled')
    let isDown = true
    await page.route('**/import', async (route) => (isDown ? await route.abort() : await route.continue()))
    await dashboard.go(page, tracksOf(id))
    await choose(page, 'Import files', [recording(3), recording(4)])
    await page.getByText('0 of 2 imported · 2 failed').waitFor()

    isDown = false
    await page.getByRole('button', { name: 'Try again: walk-3.gpx' }).click()
    await page.getByText('1 of 2 imported').waitFor()
    await page.getByRole('button', { name: 'Retry failed' }).click()
    await page.getByText('2 of 2 imported').waitFor()
    await page.unroute('**/import')
    await page.route('**/import', () => undefined)
    await choose(page, 'Import files', [5, 6, 7].map(recording))
    await page.getByRole('button', { name: 'Cancel the import of walk-7.gpx' }).click()
    await page.getByRole('button', { name: 'Cancel all' }).click()

    await page.getByText('2 of 2 imported').waitFor()
  })
})
