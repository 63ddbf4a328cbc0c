import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { forgetConfirmation, openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const { service } = dashboard
/** The token of several people that the page offers; never the event's first one, which reads everyone's tracks. */
const forAll = await service.createToken({ permissions: ['record'], userId: null, label: 'Volunteers' })
await service.createToken({ permissions: ['record', 'manage'], userId: null, label: 'Clean-up' })
const phonesPage = dashboard.at(`/events/${service.eventId}/participants/phones`)
const APPS = ['Traccar Client', 'Overland', 'OwnTracks', 'OsmAnd', 'GPSLogger']

/** Writes what an app would send to the address that the page shows. */
const fill = (address: string, device: string) =>
  address
    .replace('NAME', device)
    .replace('%ALL', `lat=45.9&lon=6.8&time=2026-05-03T06:15:00Z&aid=${device}`)
    .replace(/\{(\d)\}/g, (_, place) => ['45.9', '6.8', '1777788900', '5', '1035', '2.5', '90'][Number(place)])

describe('the page of phones', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('shows address, QR code, steps and a link to set it up for each app', async () => {
    await dashboard.go(page, phonesPage)
    const links: Record<string, string | null> = {}

    for (const app of APPS) {
      await page.getByRole('button', { name: app, exact: true }).click()

      await page.getByRole('heading', { name: app, level: 5 }).waitFor()
      await page.getByRole('img', { name: `QR code that sets up ${app}` }).waitFor()
      assert.equal(await page.getByRole('main').locator('ol > li').count(), 3, app)
      const address = await page.getByText(`${service.url}/in/${forAll}/`).first().textContent()
      assert.ok(address?.startsWith(`${service.url}/in/${forAll}/`), app)
      const link = page.getByRole('link', { name: 'Set up on this phone' })
      if (app !== 'OsmAnd') links[app] = await link.getAttribute('href')
    }
    await assertSound(page)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), 0)

    assert.match(links['Traccar Client']!, /^org\.traccar\.client:\/\/config\?url=http/)
    assert.match(links.Overland!, /^overland:\/\/setup\?url=http/)
    assert.match(links.OwnTracks!, /^owntracks:\/\/\/config\?inline=/)
    const profile = await fetch(links.GPSLogger!.replace('gpslogger://properties/', ''))
    assert.match(await profile.text(), /log_customurl_enabled=true/)
  })

  test('gives addresses that put a phone on the map', async () => {
    for (const app of ['OsmAnd', 'GPSLogger']) {
      await page.getByRole('button', { name: app, exact: true }).click()
      const address = await page.getByText(`${service.url}/in/${forAll}/`).first().textContent()
      const response = await fetch(fill(address!, `phone-of-${app}`))
      assert.equal(((await response.json()) as { stored: number }).stored, 1, app)
    }
    await page.getByRole('link', { name: 'Tracks', exact: true }).click()

    for (const app of ['OsmAnd', 'GPSLogger']) await page.getByText(`phone-of-${app}`).first().waitFor()
  })

  test('makes a code of the event that only records, and one for somebody on no list', async () => {
    const { id } = await service.createEvent('Without phones')
    await dashboard.go(page, dashboard.at(`/events/${id}/participants/phones`))

    await page.getByRole('button', { name: 'Create event code' }).click()
    await page.getByRole('img', { name: 'QR code: Event code' }).waitFor()
    await page.getByRole('heading', { name: 'Event code' }).and(page.locator(':focus')).waitFor()
    const code = /\/r\/(\S+)/.exec((await page.getByText(`${service.url}/r/`).first().textContent())!)![1]
    const read = await fetch(`${service.url}/tracks`, { headers: { 'X-API-Key': code } })
    assert.equal(read.status, 403)
    await page.getByText('For one participant', { exact: true }).click()
    await page.getByRole('button', { name: 'Create code' }).click()
    await page.getByText('Enter a name or a number').waitFor()
    await page.getByLabel('Whose phone is it?').fill('runner-7')
    await page.getByRole('button', { name: 'Create code' }).click()

    await page.getByRole('heading', { name: 'Personal code of runner-7' }).waitFor()
  })

  test('makes a sheet of codes for the whole start list in one action, by bib', async () => {
    const { id } = await service.createEvent('A dozen on a list')
    const { races } = service.server.tracks!.deps
    const runners = Array.from({ length: 12 }, (_, i) => ({
      user_id: `id-${i}`,
      bib: `${12 - i}`,
      name: `Runner ${i}`,
      category: null,
    }))
    await races.replaceRunners(id, runners)
    await dashboard.go(page, dashboard.at(`/events/${id}/participants/phones`))
    await page.getByText('12 people on the start list have no code yet.').waitFor()

    await page.getByRole('button', { name: 'Sheet of codes for all' }).click()

    await page.getByText('12 codes').waitFor()
    const codes = page.getByRole('list', { name: 'Participant codes' }).getByRole('listitem')
    await page.getByRole('img', { name: 'QR code for Runner 0', exact: true }).waitFor()
    const texts = await codes.allTextContents()
    assert.deepEqual(texts.slice(0, 2), [
      'A dozen on a list1Runner 11Scan it with your phone’s camera to appear on the live map.',
      'A dozen on a list2Runner 10Scan it with your phone’s camera to appear on the live map.',
    ])
    assert.equal(texts.length, 12)
    await page.getByLabel('The code opens').selectOption('Overland')
    await page.getByText('Install Overland, then scan this').first().waitFor()
    await races.replaceRunners(id, [...runners, { user_id: 'late', bib: '13', name: 'Late', category: null }])
    await page.reload()
    await page.getByText('1 person on the start list has no code yet.').waitFor()
    await page.getByRole('button', { name: 'Create their codes' }).press('Enter')
    await page.getByText('13 codes').waitFor()
    // What the keyboard was at is gone; it goes on with what comes next.
    await page.locator('button:focus', { hasText: 'Print' }).waitFor()
    await races.replaceRunners(id, runners)
    await page.reload()
    await page.getByText('12 codes').waitFor()
    await page.getByLabel('Also 1 code for somebody who is not on the start list').check()
    await page.getByText('13 codes').waitFor()
  })

  test('never offers a personal code as that of the event', async () => {
    const { id } = await service.createEvent('Personal')
    const anna = await service.createToken({ eventId: id, permissions: ['record', 'read'], userId: '7', label: 'Anna' })
    await forgetConfirmation(service)
    await dashboard.go(page, dashboard.at(`/events/${id}/participants/phones`))

    await page.getByRole('heading', { name: 'The event has no code yet' }).waitFor()
    assert.equal(await page.getByRole('img', { name: /QR code/ }).count(), 0)
    await assertSound(page)
    await page.getByText('For one participant', { exact: true }).click()
    await page.getByRole('heading', { name: 'A code for somebody who is not on the list' }).waitFor()
    assert.equal(await page.getByRole('img', { name: /QR code/ }).count(), 0)
    await page.getByRole('combobox', { name: 'Participant', exact: true }).click()
    await page.getByRole('option', { name: 'Anna' }).click()

    await page.getByRole('heading', { name: 'Personal code of Anna' }).waitFor()
    await page.getByText(`${service.url}/r/${anna}`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'OsmAnd', exact: true }).click()
    const address = await page.getByText(`${service.url}/in/`).first().textContent()
    assert.match(address!, /\/osmand\?lat=/)
    assert.equal(await page.getByText('Each phone needs a name').count(), 0)
    await assertSound(page)
  })

  test('is complete and accessible in French, dark, on a phone', async (t) => {
    const options = { locale: 'fr-FR', colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const
    const phone = await dashboard.visitSignedIn(t, options)
    await dashboard.go(phone, phonesPage)

    for (const app of APPS) {
      await phone.getByRole('button', { name: app, exact: true }).click()
      await phone.getByRole('heading', { name: app, level: 5 }).waitFor()
    }

    await assertSound(phone)
    assert.equal(await phone.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), 0)
  })
})
