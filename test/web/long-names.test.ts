import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { CreatedEvent } from '../../src/tracks/api/event-schemas.ts'
import { makeWorkspace, publishTo } from '../support/dashboard-library.ts'
import { makePoints } from '../support/make-points.ts'
import { openDashboard } from '../support/open-dashboard.ts'

const LONG = 'Llanfairpwllgwyngyll'.repeat(9)
const dashboard = await openDashboard({ after })
const { service } = dashboard
let paths: string[]

/** Makes one of everything that has a name, as the operator of a page. */
async function makeNamed(page: Page): Promise<string[]> {
  const send = async <Answer>(path: string, data: object, headers: Record<string, string> = {}) => {
    const options = { data, headers: { Origin: service.url, ...headers } }
    const answer = await page.context().request.post(service.url + path, options)
    assert.ok(answer.ok(), await answer.text())
    return (await answer.json()) as Answer
  }
  const event = await send<CreatedEvent>('/operator/events', { name: LONG, note: LONG })
  const track = { device_track_id: LONG.slice(0, 100), title: LONG, user_id: LONG }
  const key = { 'X-API-Key': event.token.token! }
  const { track_id } = await send<{ track_id: string }>('/sync', { track, points: makePoints(20) }, key)
  const other = { ...track, device_track_id: LONG.slice(1, 101) }
  const { track_id: otherId } = await send<{ track_id: string }>('/sync', { track: other, points: makePoints(20) }, key)
  await send(`/operator/events/${event.id}/tokens`, { label: LONG })
  await send(`/operator/events/${event.id}/shares`, { label: LONG })
  const { path, apiKey } = await makeWorkspace(dashboard, LONG)
  const publication = await publishTo(dashboard, apiKey, LONG)
  await send('/operator/operators', { name: LONG.slice(0, 100), role: 'viewer' })
  const ofEvent = ['', '/tracks', '/settings/developers', '/share', '/settings'].map(
    (part) => `/events/${event.id}${part}`,
  )
  const ofWorkspace = ['', '/programs', '/settings'].map((part) => path + part)
  const ofPublication = ['', '/readers'].map((part) => `/publications/${publication.id}${part}`)
  const comparison = `/events/${event.id}/tracks/compare?a=${track_id}&b=${otherId}`
  const ofTracks = ['/events', ...ofEvent, `/tracks/${track_id}`, comparison]
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
    const page = await dashboard.visitSignedIn({ after })
    paths = await makeNamed(page)
  })

  test('makes no page wider than a window, on a computer and on a phone', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const wider: string[] = []
    for (const path of paths) {
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(dashboard.at(path))
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
