import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createEvent } from '../support/create-event.ts'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { makePoints } from '../support/make-points.ts'
import { openDashboard } from '../support/open-dashboard.ts'

const STORED = 'Sortie du 3 mai à 08h15'
const IN_ENGLISH = 'Track from 3 May, 08:15'
/** In the form of a generated title, and of another time than its track: somebody typed it. */
const TYPED = 'Sortie du 4 mai à 10h20'
const ENGLISH = { locale: 'en-GB' }
const FRENCH = { locale: 'fr-FR' }

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service, at } = dashboard

/** An event with a course, and tracks that nobody named beside one that somebody did; a link for each audience. */
async function openEvent() {
  const { id, phone } = await createEvent(service, { name: 'Lake run', time_zone: 'Europe/Paris' })
  const course = `/operator/events/${id}/course`
  assert.ok((await service.operator.send('PUT', course, makeGpx(LAKE), 'application/gpx+xml')).ok)
  const sync = async (title?: string) => {
    const start_ts = '2026-05-03T06:15:00Z'
    const points = makePoints(60, Date.parse(start_ts))
    return await phone.sync({ track: { start_ts, ...(title !== undefined && { title }) }, points })
  }
  const [unnamed, other, typed] = [await sync(), await sync(), await sync(TYPED)]
  const links = { ofEvent: await dashboard.share({}, id), ofTrack: await dashboard.share({ track_id: unnamed }, id) }
  return { path: `/events/${id}`, phone, unnamed, other, typed, ...links }
}

const event = await openEvent()

/** Opens a page, and waits for a name on it. The other language's form of it may not be there. */
async function assertNames(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address)
  await page.getByText(name).first().waitFor()
  await page
    .getByRole('status', { name: /^(Loading|Chargement)/ })
    .first()
    .waitFor({ state: 'detached' })
  const foreign = name === STORED ? IN_ENGLISH : STORED
  assert.equal(await page.getByText(foreign).count(), 0, `${foreign} on ${address}`)
  assert.ok(!(await page.title()).includes(foreign), await page.title())
}

const inDashboard = () => [
  at(event.path),
  at(`${event.path}/replay`),
  at(`${event.path}/tracks`),
  at(`${event.path}/tracks/compare?a=${event.unnamed}&b=${event.other}`),
  at(`${event.path}/results`),
  at(`${event.path}/share`),
  at(`/tracks/${event.unnamed}`),
]

describe('a title that nobody typed', () => {
  test(`is told in English on pages in English: ${IN_ENGLISH}`, async (t) => {
    const operator = await dashboard.visitSignedIn(t, ENGLISH)
    for (const address of inDashboard()) await assertNames(operator, address, IN_ENGLISH)
    assert.equal(await operator.title(), `${IN_ENGLISH} · Trackpress`)
    const spectator = await dashboard.visit(t, ENGLISH)
    for (const tab of ['', '/results', '/replay']) await assertNames(spectator, event.ofEvent + tab, IN_ENGLISH)
    await assertNames(spectator, event.ofTrack, IN_ENGLISH)
  })

  test(`stays as it is stored on pages in French: ${STORED}`, async (t) => {
    const operator = await dashboard.visitSignedIn(t, FRENCH)
    for (const address of [at(`${event.path}/tracks`), at(`/tracks/${event.unnamed}`)])
      await assertNames(operator, address, STORED)
    const spectator = await dashboard.visit(t, FRENCH)
    await assertNames(spectator, event.ofEvent, STORED)
  })

  for (const [name, options] of [
    [IN_ENGLISH, ENGLISH],
    [STORED, FRENCH],
  ] as const)
    test(`is so in what the server sends: ${name}`, async (t) => {
      const page = await dashboard.visit(t, { ...options, javaScriptEnabled: false })
      for (const tab of ['', '/results']) await assertNames(page, event.ofEvent + tab, name)
      await assertNames(page, event.ofTrack, name)

      assert.equal(await page.title(), name)
      assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), name)
      assert.equal(await page.locator('meta[property="og:title"]').getAttribute('content'), name)
    })

  test('is typed as it is shown to delete the track, and is so in the bin and the audit log', async (t) => {
    const id = await event.phone.sync({
      track: { start_ts: '2026-05-03T06:15:00Z' },
      points: makePoints(3, Date.parse('2026-05-03T06:15:00Z')),
    })
    const page = await dashboard.visitSignedIn(t, ENGLISH)
    await page.goto(at(`/tracks/${id}`))
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${IN_ENGLISH}` })
    await dialog.getByRole('textbox').fill(IN_ENGLISH)
    await dialog.getByRole('button', { name: 'Delete' }).last().click()

    await page.getByText(`Deleted ${IN_ENGLISH}`).waitFor()
    await page.goto(at('/events/bin'))
    await page.getByRole('button', { name: `Restore ${IN_ENGLISH}` }).waitFor()
    await page.goto(at('/audit'))
    await page.getByText(IN_ENGLISH).first().waitFor()
  })

  test('stays as it is in the API, and a typed one stays on every page', async (t) => {
    const { title } = await event.phone.read(event.unnamed)
    assert.equal(title, STORED)
    const page = await dashboard.visitSignedIn(t, ENGLISH)
    for (const address of [at(`${event.path}/tracks`), at(`/tracks/${event.typed}`)]) {
      await page.goto(address)
      await page.getByText(TYPED).first().waitFor()
    }
  })
})
