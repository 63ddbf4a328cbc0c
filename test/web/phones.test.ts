import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const { service } = dashboard
/** The token of several people that the page offers; never the event's first one, which reads everyone's tracks. */
const forAll = await service.createToken({ permissions: ['record'], userId: null, label: 'Volunteers' })
await service.createToken({ permissions: ['record', 'manage'], userId: null, label: 'Clean-up' })
const phonesPage = dashboard.at(`/events/${service.eventId}/phones`)
const APPS = ['Traccar Client', 'Overland', 'OwnTracks', 'OsmAnd', 'GPSLogger']

/** Writes what an app would send to the address that the page shows. */
const fill = (address: string, device: string) =>
  address
    .replace('NAME', device)
    .replace('%ALL', `lat=45.9&lon=6.8&time=2026-05-03T06:15:00Z&aid=${device}`)
    .replace(/\{(\d)\}/g, (_, place) => ['45.9', '6.8', '1777788900', '5', '1035', '2.5', '90'][Number(place)])

describe('the page of phones', () => {
  test('shows address, QR code and steps for each app', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(phonesPage)

    for (const app of APPS) {
      await page.getByRole('button', { name: app, exact: true }).click()

      await page.getByRole('heading', { name: app, level: 3 }).waitFor()
      await page.getByRole('img', { name: `QR code that sets up ${app}` }).waitFor()
      assert.equal(await page.getByRole('main').locator('ol > li').count(), 3, app)
      const address = await page.getByText(`${service.url}/in/${forAll}/`).first().textContent()
      assert.ok(address?.startsWith(`${service.url}/in/${forAll}/`), app)
    }
    await assertSound(page)
  })

  test('gives addresses that put a phone on the map', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(phonesPage)

    for (const app of ['OsmAnd', 'GPSLogger']) {
      await page.getByRole('button', { name: app, exact: true }).click()
      const address = await page.getByText(`${service.url}/in/${forAll}/`).first().textContent()
      const response = await fetch(fill(address!, `phone-of-${app}`))
      assert.equal(((await response.json()) as { stored: number }).stored, 1, app)
    }
    await page.getByRole('link', { name: 'Tracks', exact: true }).click()

    for (const app of ['OsmAnd', 'GPSLogger']) await page.getByText(`phone-of-${app}`).first().waitFor()
  })

  test('sets apps up with a link of their own', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(phonesPage)
    const links: Record<string, string | null> = {}

    for (const app of APPS.filter((name) => name !== 'OsmAnd')) {
      await page.getByRole('button', { name: app, exact: true }).click()
      links[app] = await page.getByRole('link', { name: 'Set up on this phone' }).getAttribute('href')
    }

    assert.match(links['Traccar Client']!, /^org\.traccar\.client:\/\/config\?url=http/)
    assert.match(links.Overland!, /^overland:\/\/setup\?url=http/)
    assert.match(links.OwnTracks!, /^owntracks:\/\/\/config\?inline=/)
    const profile = await fetch(links.GPSLogger!.replace('gpslogger://properties/', ''))
    assert.match(await profile.text(), /log_customurl_enabled=true/)
  })

  test('needs no device id with the token of one person', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(phonesPage)
    await page.getByText('Each phone needs a name').waitFor()
    await service.createToken({ permissions: ['record', 'read'], userId: 'runner-42', label: 'Jeanne' })
    await page.reload()

    const select = page.getByRole('combobox', { name: 'App token' })
    await select.locator('option', { hasText: 'Jeanne' }).waitFor({ state: 'attached' })
    const offered = await select.locator('option').allTextContents()
    assert.deepEqual(
      offered.map((text) => text.split(' · ').slice(0, 2)),
      [
        ['runner-42', 'Jeanne'],
        ['Everyone', 'Volunteers'],
      ],
    )
    await page.getByRole('button', { name: 'OsmAnd', exact: true }).click()

    await page.getByText(/For one person: runner-42.*cannot see any others/).waitFor()
    const address = await page.getByText(`${service.url}/in/`).first().textContent()
    assert.match(address!, /\/osmand\?lat=/)
    assert.equal(await page.getByText('Each phone needs a name').count(), 0)
  })

  test('offers to make a token that only records where there is none for phones', async (t) => {
    const { id } = await service.createEvent('Without phones')
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/events/${id}/phones`))

    await page.getByRole('heading', { name: 'No token for phones yet' }).waitFor()
    await page.getByRole('button', { name: 'Create token for this person' }).click()
    await page.getByText('Enter a name or a number').waitFor()
    await assertSound(page)
    await page.getByLabel('Whose phone is it?').fill('runner-7')
    await page.getByRole('button', { name: 'Create token for this person' }).click()

    await page.getByText(/For one person: runner-7/).waitFor()
    const address = await page.getByText(`${service.url}/in/`).first().textContent()
    const token = /\/in\/([^/]+)/.exec(address!)![1]
    const read = await fetch(`${service.url}/tracks`, { headers: { 'X-API-Key': token } })
    assert.equal(read.status, 403)
  })

  for (const options of [
    {
      name: 'in French, dark, on a phone',
      locale: 'fr-FR',
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
    },
    { name: 'light, on a wide screen', locale: 'en-GB', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  ] as const) {
    test(`is complete and accessible ${options.name}`, async (t) => {
      const { name: _, ...context } = options
      const page = await dashboard.visitSignedIn(t, context)
      await page.goto(phonesPage)

      for (const app of APPS) {
        await page.getByRole('button', { name: app, exact: true }).click()
        await page.getByRole('heading', { name: app, level: 3 }).waitFor()
      }

      await assertSound(page)
      const width = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
      assert.equal(width, 0)
    })
  }
})
