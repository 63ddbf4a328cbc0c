import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openDashboard } from '../support/open-dashboard.ts'

const dashboard = await openDashboard({ after })
const WAIT_MS = 20_000

/** Holds every response of the API, and every script that the HTML does not name, until it is released. */
async function holdResponses(page: Page, address: string) {
  const html = await (await fetch(address)).text()
  const released = Promise.withResolvers<void>()
  const held: string[] = []
  const hold = async (route: Route) => {
    const { pathname } = new URL(route.request().url())
    if (!html.includes(pathname)) {
      held.push(pathname)
      await released.promise
    }
    await route.continue()
  }
  await page.route('**/operator/**', hold)
  await page.route('**/dashboard/assets/*.js', hold)
  return { held, release: released.resolve }
}

describe('opening a page', () => {
  test('of an event’s tracks requests code, session, event and tracks without waiting for one another', async (t) => {
    const address = dashboard.at(`/events/${dashboard.service.eventId}/tracks`)
    const page = await dashboard.visitSignedIn(t, { isFirst: true })
    const { held, release } = await holdResponses(page, address)
    const expected = [
      /^\/operator\/session$/,
      /^\/operator\/settings$/,
      /^\/operator\/events\/[^/]+$/,
      /^\/operator\/events\/[^/]+\/tracks$/,
      /^\/dashboard\/assets\/tracks-page-/,
    ]
    const missing = () => expected.filter((path) => !held.some((requested) => path.test(requested)))

    await page.goto(address, { waitUntil: 'commit' })
    const deadlineMs = Date.now() + WAIT_MS
    while (missing().length > 0 && Date.now() < deadlineMs) await page.waitForTimeout(50)

    assert.deepEqual(missing(), [])
    release()
    await page.getByRole('heading', { name: 'From here to the race' }).waitFor()
  })
})
