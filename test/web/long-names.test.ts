import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { createEvent } from '../support/create-event.ts'
import { makeWorkspace, publishTo } from '../support/dashboard-library.ts'
import { makePoints } from '../support/make-points.ts'
import { openDashboard } from '../support/open-dashboard.ts'

const LONG = 'Llanfairpwllgwyngyll'.repeat(9)
const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard
let paths: string[]

/** Makes one of everything that has a name. @returns the addresses of its pages */
async function makeNamed(): Promise<string[]> {
  const event = await createEvent(service, { name: LONG, note: LONG })
  const record = () => event.phone.sync({ track: { title: LONG, user_id: LONG }, points: makePoints(20) })
  const [track, other] = [await record(), await record()]
  await service.answer(201, 'POST', `/operator/events/${event.id}/tokens`, { label: LONG })
  await dashboard.share({ label: LONG }, event.id)
  const { path, apiKey } = await makeWorkspace(dashboard, LONG)
  const publication = await publishTo(dashboard, apiKey, LONG)
  await service.answer(201, 'POST', '/operator/operators', { name: LONG.slice(0, 100), role: 'viewer' })
  const ofEvent = ['', '/tracks', '/settings/developers', '/share', '/settings'].map(
    (part) => `/events/${event.id}${part}`,
  )
  const ofWorkspace = ['', '/programs', '/settings'].map((part) => path + part)
  const ofPublication = ['', '/readers'].map((part) => `/publications/${publication.id}${part}`)
  const comparison = `/events/${event.id}/tracks/compare?a=${track}&b=${other}`
  const ofTracks = ['/events', ...ofEvent, `/tracks/${track}`, comparison]
  return [...ofTracks, '/workspaces', ...ofWorkspace, ...ofPublication, '/operators', '/account']
}

/** Waits for the parts of a page, which load each on its own. */
async function untilLoaded(page: Page): Promise<void> {
  while ((await page.getByRole('status', { name: 'Loading' }).count()) > 0) await wait(20)
}

/** Waits for the next frames, and for all transitions that have begun by then. */
const UNTIL_MOVED = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  .then(() => document.getAnimations().filter((moving) => moving instanceof CSSTransition))
  .then((moving) => Promise.allSettled(moving.map(({ finished }) => finished)))
  .then(() => {})`

async function noteWhatIsWider(page: Page, path: string, wider: string[]): Promise<void> {
  const over = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
  if (over > 0) wider.push(`${path}: ${over} px`)
}

describe('a long name without spaces', () => {
  before(async () => {
    paths = await makeNamed()
  })

  test('makes no page wider than a window, on a computer and on a phone', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const wider: string[] = []
    for (const path of paths) {
      await page.setViewportSize({ width: 1280, height: 900 })
      await dashboard.go(page, dashboard.at(path))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await untilLoaded(page)
      await noteWhatIsWider(page, path, wider)
      await page.setViewportSize({ width: 390, height: 900 })
      // Other parts may be shown on a phone, which load now; and the navigation moves away, which takes a moment.
      await page.evaluate(UNTIL_MOVED)
      await untilLoaded(page)
      await noteWhatIsWider(page, path, wider)
    }

    assert.deepEqual(wider, [])
  })

  test('fits into the dialog that deletes it', async (t) => {
    const page = await dashboard.visitSignedIn(t, { viewport: { width: 390, height: 900 } })
    await page.goto(dashboard.at(paths.find((path) => path.endsWith('/settings'))!))
    await page.getByRole('button', { name: 'Delete…' }).click()

    const dialog = page.getByRole('dialog')
    await dialog.getByText('Type the name').waitFor()

    assert.ok((await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)) <= 0)
  })
})
