import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, type TestContext, test } from 'node:test'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { trackRequests } from '../support/track-requests.ts'
import { assertSound, WITH_MAP } from '../support/visit.ts'
import { walkPoints } from './recorded-walk.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard

const phone = trackRequests(service.request)

/** Starts a track that has recorded for some minutes, up to now. */
async function startTrack(title: string): Promise<string> {
  const id = await phone.create({ title })
  await phone.add(id, walkPoints(30, { startMs: Date.now() - 300_000 }))
  return id
}

/** Starts another site with a page that shows an address in a frame. Returns the address of that page. */
async function siteWithFrame(t: TestContext, framed: string): Promise<string> {
  const html = `<!doctype html><title>A club</title><iframe title="Live" src="${framed}" width="700" height="500"></iframe>`
  // Nothing else is there: a page that is left is parked at another address of the site, where no frame may go on.
  const server = createServer(({ url }, response) => {
    if (url === '/') response.setHeader('content-type', 'text/html').end(html)
    else response.writeHead(404).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('a spectator', async () => {
  const page = await dashboard.visit({ after })

  test('reads who is where without JavaScript, in the own language and in the dark', async (t) => {
    await startTrack('Anna')
    const address = await dashboard.share()
    const page = await dashboard.visit(t, { javaScriptEnabled: false, locale: 'fr-FR', colorScheme: 'dark' })

    await page.goto(address)

    const entry = page.getByRole('list', { name: 'Coureurs' }).getByRole('listitem').filter({ hasText: 'Anna' })
    await entry.getByText(/En cours.*45\.\d{5}, 6\.\d{5} · à l’instant/s).waitFor()
    await page.getByRole('link', { name: 'Actualiser' }).waitFor()
  })

  test('finds the live map in place of the text once it has loaded', async (t) => {
    await startTrack('Ben')
    const page = await dashboard.visit(t, WITH_MAP)

    await page.goto(await dashboard.share())

    await page.getByRole('region', { name: 'Map of the event’s tracks' }).waitFor()
    await page.getByRole('button', { name: /Ben/ }).waitFor()
    assert.equal(await page.getByRole('list', { name: 'Runners' }).count(), 0)
    await assertSound(page)
  })

  test('makes the page ask for the course once, and not at all where the event has none', async (t) => {
    await startTrack('Gina')
    const address = await dashboard.share()
    const course = `/operator/events/${service.eventId}/course`
    const page = await dashboard.visit(t, { serviceWorkers: 'block' })
    const asking = /\/shares\/[^/]+\/course$/
    /** Returns how often a page asks, to which the course may just have gone. */
    async function asked(isGone = false): Promise<number> {
      let count = 0
      await page.route(asking, async (route) => {
        count++
        if (isGone) await route.fulfill({ status: 404, json: { status: 404, code: 'COURSE_NOT_FOUND', detail: 'x' } })
        else await route.continue()
      })
      await page.goto(address)
      await page.getByRole('button', { name: /Gina/ }).waitFor()
      // Longer than the pause before the first repetition of a request that failed.
      await page.waitForTimeout(2000)
      await page.unroute(asking)
      return count
    }

    assert.equal(await asked(), 0)
    await service.operator.send('PUT', course, makeGpx(LAKE), 'application/gpx+xml')
    assert.equal(await asked(), 1)
    assert.equal(await asked(true), 1)
    await service.answer(204, 'DELETE', course)
  })

  test('finds the last known state and its age after a reload without a network, and then the live map', async (t) => {
    await startTrack('Fanny')
    const page = await dashboard.visit(t, { isFirst: true })
    await page.goto(await dashboard.share())
    await page.getByRole('button', { name: /Fanny/ }).waitFor()
    const isKept = `(async () => {
      await navigator.serviceWorker.ready
      const pages = await caches.open('trackpress-pages')
      return (await pages.match(location.href)) !== undefined
    })()`
    while (!(await page.evaluate<boolean>(isKept))) await page.waitForTimeout(50)
    // Everything that the page loads passes the worker from now on.
    await page.reload()
    await page.getByRole('button', { name: /Fanny/ }).waitFor()

    await page.context().setOffline(true)
    await page.reload()
    await page
      .getByRole('status')
      .getByText(/No network\. This is the last known state, of .*\([1-9]\d* (?:second|minute)s? ago\)/)
      .waitFor()
    await page.getByRole('list', { name: 'Runners' }).getByText('Fanny').waitFor()
    await page.context().setOffline(false)
    await page.reload()

    await page.getByRole('button', { name: /Fanny/ }).waitFor()
    assert.equal(await page.getByText('No network').count(), 0)
  })

  test('finds the runner of a link, and again after a reload, in another tab and in the chosen language', async () => {
    const id = await startTrack('Dora')
    await startTrack('Emil')
    const address = await dashboard.share()
    const card = page.getByRole('region', { name: /Dora/ })

    await page.goto(`${address}?lang=fr#runner-${id}`)

    await card.getByRole('button', { name: 'Suivre sur la carte', pressed: true }).waitFor()
    await page.reload()
    await card.waitFor()
    await page.getByRole('link', { name: 'Rediffusion' }).click()
    await page.waitForURL(`${address}/replay?lang=fr#runner-${id}`)
    await page.getByRole('link', { name: 'Carte', exact: true }).click()
    await card.getByRole('button', { name: 'Désélectionner' }).click()
    await page.waitForURL(`${address}?lang=fr`)
  })

  test('sees of a finished ride its date, key figures and splits, in units of their choice, and nothing live', async () => {
    const points = walkPoints(200, { startMs: Date.UTC(2011, 8, 25, 13) })
    const track_id = await phone.sync({ track: { title: 'Ride of 2011', activity_type: 'bike' }, points })

    await page.goto(await dashboard.share({ track_id }))

    await page.getByText(/Ride · 25 Sept 2011, 13:00/).waitFor()
    await page
      .getByRole('region', { name: 'Key figures' })
      .getByText(/^\d\.\d km\/h$/)
      .waitFor()
    await page.getByRole('button', { name: 'Show 1 km on map and profile' }).waitFor()
    assert.equal(await page.getByRole('status').count(), 0)
    await page.getByRole('combobox', { name: 'Units' }).selectOption('mi')
    await page.getByRole('button', { name: 'Show 1 mi on map and profile' }).waitFor()
    await assertSound(page)
  })

  test('still gets to the page by a link of an earlier version', async () => {
    const address = await dashboard.share()

    await page.goto(`${service.url}/dashboard/share#${new URL(address).pathname.split('/')[2]}`)

    await page.waitForURL(address)
  })

  test('watches on the page of a club that frames the compact form', async (t) => {
    await startTrack('Chidi')
    const address = await dashboard.share()

    await page.goto(await siteWithFrame(t, `${address}?embed`))

    const frame = page.frameLocator('iframe')
    await frame.getByRole('button', { name: /Chidi/ }).waitFor()
    await frame.getByRole('link', { name: 'Open the whole page' }).waitFor()
  })
})
