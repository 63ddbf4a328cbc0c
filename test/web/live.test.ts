import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { FrameLatest } from '../../src/tracks/frames/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { seesColour } from '../support/map-colours.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { trackRequests } from '../support/track-requests.ts'
import { assertSound } from '../support/visit.ts'
import { walkPoints } from './recorded-walk.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard

const phone = trackRequests(service.request)
const startTrack = (title: string) => phone.create({ title })

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

/** Makes a page believe that it is seen, or not. */
const show = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { get: () => '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`,
  )

const STREAM = /\/live\?frames=bytes$/

/** Makes the frames of a page come from a server that has fallen behind by 12 s. */
async function fallBehind(page: Page): Promise<void> {
  await page.route(STREAM, (route) => route.fulfill({ body: '' }))
  await page.route(/\/frames\/latest$/, async (route) => {
    const response = await route.fetch()
    const latest = (await response.json()) as FrameLatest
    const json: FrameLatest = { ...latest, as_of: new Date(Date.now() - 12_000).toISOString(), lag_ms: 12_000 }
    await route.fulfill({ response, json })
  })
}

describe('the live map', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('shows a track once it starts, and its points as they arrive', async () => {
    await page.goto(dashboard.at(`/events/${service.eventId}`))
    await page.getByRole('heading', { name: 'From here to the race' }).waitFor()
    await assertSound(page)

    const id = await startTrack('On the way')
    const entry = page.getByRole('button', { name: /On the way/ })
    await entry.getByText('no points yet').waitFor()
    // The clock of this phone is fast.
    await phone.add(id, walkPoints(3, { startMs: Date.now() + 60_000 }))

    await entry.getByText(/^just now/).waitFor()
    await page.getByRole('region', { name: 'Map of the event’s tracks' }).waitFor()

    await page.getByRole('link', { name: 'Skip to the list of runners' }).press('Enter')
    await page.locator('#runners:focus').waitFor()
  })

  test('keeps the steps of an event within reach until somebody hides them', async () => {
    const steps = page.getByRole('button', { name: /^Steps: \d of 4 done$/ })

    await steps.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('link', { name: 'Add the course' }).waitFor()
    await assertSound(page)
    await dialog.getByRole('button', { name: 'Hide these steps' }).click()

    await steps.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: /On the way/ }).waitFor()
    assert.equal(await steps.count(), 0)
  })

  test('asks for nothing while nobody looks, and catches up at once when somebody does', async () => {
    await startTrack('Before the sleep')
    await page.getByRole('button', { name: /Before the sleep/ }).waitFor()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('/frames/') || STREAM.test(request.url())) asked++
    })

    await show(page, 'hidden')
    // A request may be on its way, and the frames that it names.
    await page.waitForTimeout(4000)
    asked = 0
    await startTrack('During the sleep')
    await page.waitForTimeout(4000)
    assert.equal(asked, 0)
    await show(page, 'visible')

    await page.getByRole('button', { name: /During the sleep/ }).waitFor()
  })

  test('reads a stream of frames, and the frames one by one where the stream is blocked', async () => {
    const opened = page.waitForResponse(STREAM)
    await page.goto(dashboard.at(`/events/${service.eventId}`))
    assert.equal((await opened).headers()['content-type'], 'text/event-stream; charset=utf-8')
    let streams = 0
    // A stream that breaks off is opened again from the answers to these.
    await page.route(STREAM, (route) => {
      streams++
      return route.abort()
    })

    await startTrack('By the stream')
    await page.getByRole('button', { name: /By the stream/ }).waitFor()
    await show(page, 'hidden')
    await show(page, 'visible')
    while (streams === 0) await page.waitForTimeout(50)
    await startTrack('One by one')

    await page.getByRole('button', { name: /One by one/ }).waitFor()
  })

  test('links from a track to its page', async () => {
    await page.getByRole('button', { name: /One by one/ }).click()
    await page.getByRole('region', { name: 'Selected: One by one' }).waitFor()
    await page.getByRole('link', { name: 'View track' }).click()

    await page.getByRole('heading', { name: 'One by one', level: 1 }).waitFor()
  })
})

describe('a share link', () => {
  test('shows an event live to spectators until it is revoked', async (t) => {
    const id = await startTrack('Watched')
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/events/${service.eventId}/share`))
    await page.getByRole('button', { name: 'Share event' }).click()
    const address = await share(page)
    await assertSound(page)

    const spectator = await dashboard.visit(t)
    await spectator.goto(address)
    await phone.add(id, walkPoints(3, { startMs: Date.now() - 60_000 }))
    await spectator
      .getByRole('button', { name: /Watched/ })
      .getByText(/ ago/)
      .waitFor()
    await assertSound(spectator)

    await page.getByRole('button', { name: 'Revoke share link: Families' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await spectator.getByRole('heading', { name: 'No longer shared' }).waitFor()
    await assertSound(spectator)
  })

  test('of a track shows only that track', async (t) => {
    const id = await startTrack('Alone')
    await phone.add(id, walkPoints(30, { startMs: Date.now() - 400_000 }))
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

  test('says how old it is when the server falls behind', async (t) => {
    const operator = await dashboard.visitSignedIn(t)
    const spectator = await dashboard.visit(t, { locale: 'fr-FR' })
    for (const page of [operator, spectator]) await fallBehind(page)

    await operator.goto(dashboard.at(`/events/${service.eventId}`))
    await spectator.goto(await dashboard.share())

    await operator.getByText(/^Updated 1\d s ago$/).waitFor()
    await operator.getByRole('status').getByText('Delayed').waitFor()
    await spectator.getByText(/^Mis à jour il y a 1\d s$/).waitFor()
    await spectator.getByRole('status').getByText('En retard').waitFor()
    for (const page of [operator, spectator]) await assertSound(page)
  })

  test('of a crowd draws everyone, in the colour of those under way', async (t) => {
    // An event of its own, so that its first frame has all of them.
    const crowd = await createEvent(service, { name: 'Crowd' })
    const timestamp = new Date().toISOString()
    const runners = Array.from({ length: 210 }, async (_, number) => {
      const place = { latitude: 46 + (number % 15) / 1000, longitude: 7 + Math.floor(number / 15) / 1000 }
      await crowd.phone.add(await crowd.phone.create({ title: `Runner ${number}` }), [{ ...place, timestamp }])
    })
    await Promise.all(runners)
    // In half the pixels, heads have no pixel that is all theirs.
    const small = { viewport: { width: 390, height: 700 }, deviceScaleFactor: 1, drawsMaps: true }
    const page = await dashboard.visit(t, small)

    await page.goto(await dashboard.share({}, crowd.id))

    // Heads are below everything else that is drawn on the map.
    await page.locator('.runners-cover').nth(1).waitFor()
    await seesColour(page, [0x0c, 0xa6, 0x78])
  })
})
