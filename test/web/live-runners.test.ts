import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { createEvent } from '../support/create-event.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound, WITH_MAP } from '../support/visit.ts'

const MINUTE_MS = 60_000
const LONG_NAME = 'Maximiliane-Alexandra von und zu Hohenstein-Waldburg'

const dashboard = await openDashboard({ after }, { signedIn: true })

/** A point every 15 seconds up to so many minutes ago, on a way north-east from a place of its own. */
function wayOf(place: number, count: number, lastMinutesAgo: number, battery?: number) {
  const lastMs = Date.now() - lastMinutesAgo * MINUTE_MS
  return Array.from({ length: count }, (_, i) => ({
    latitude: 45.9 + place * 0.02 + i * 0.0003,
    longitude: 6.8 + place * 0.03 + i * 0.0003,
    timestamp: new Date(lastMs - (count - 1 - i) * 15_000).toISOString(),
    accuracy: 5,
    speed_mps: 2.5,
    ...(battery === undefined ? {} : { battery }),
  }))
}

async function startRace(fields: object = {}) {
  const { id, phone } = await createEvent(dashboard.service, { name: 'Race', ...fields })
  return {
    id,
    phone,
    address: dashboard.at(`/events/${id}`),
    share: await dashboard.share({}, id),
    async run(title: string, ...way: Parameters<typeof wayOf>) {
      const points = wayOf(...way)
      const trackId = await phone.create({ title, activity_type: 'run', start_ts: points[0].timestamp })
      await phone.add(trackId, points)
      return trackId
    },
  }
}

const entries = (page: Page) => page.getByRole('region', { name: 'Tracks on the map' }).getByRole('button')
/** The part of the window in whose points the map is on top. */
const SHARE_OF_MAP = `(() => {
  let [onMap, all] = [0, 0]
  for (let y = 4; y < innerHeight; y += 8) {
    for (let x = 4; x < innerWidth; x += 8) {
      all++
      if (document.elementFromPoint(x, y)?.closest('.maplibregl-canvas-container') != null) onMap++
    }
  }
  return onMap / all
})()`
const scaleOf = (page: Page) => page.locator('.maplibregl-ctrl-scale').textContent()

describe('the live map of a race', async () => {
  const race = await startRace({ name: `${LONG_NAME} ${LONG_NAME}` })
  await race.phone.finish(await race.run('Winner', 0, 40, 90))
  await race.run('Zoe', 1, 40, 45, 0.03)
  await race.run(LONG_NAME, 2, 40, 0, 0.5)
  for (let i = 3; i < 9; i++) await race.run(`Runner ${i}`, i, 20, 0)
  const page = await dashboard.visitSignedIn({ after }, WITH_MAP)
  // In the dark, which is another set of colours.
  const spectator = await dashboard.visit({ after }, { ...WITH_MAP, colorScheme: 'dark' })
  await page.goto(race.address)
  await spectator.goto(race.share)
  for (const visitor of [page, spectator]) await entries(visitor).nth(8).waitFor()

  test('puts a runner without a signal first, in grey, with the battery and without a speed', async () => {
    const first = entries(page).first()
    await first.getByText(/^no signal for 45\smin · [\d.]+ k?m/).waitFor()
    assert.match((await first.textContent())!, /Zoe.*No signal/)
    assert.doesNotMatch((await first.textContent())!, /\/km/)
    await first.getByText('3%').waitFor()
    await first.click()
    const card = page.getByRole('region', { name: 'Selected: Zoe' })
    await card.waitFor()
    assert.equal(await card.getByText('Now', { exact: true }).count(), 0)
    await card.getByRole('button', { name: 'Deselect' }).click()

    await entries(spectator)
      .first()
      .getByText(/^no signal for 45\smin/)
      .waitFor()
    assert.equal(await spectator.getByText('3%').count(), 0)
    await assertSound(spectator)
  })

  test('keeps those who have finished, and shows the ones in progress or the finished alone', async () => {
    const shown = page.getByRole('radiogroup', { name: 'Tracks shown' })
    assert.equal(await entries(page).count(), 9)
    await shown.getByText('Finished', { exact: true }).click()
    await becomes(() => entries(page).count(), 1)
    await page.getByRole('button', { name: /Winner/ }).waitFor()
    await shown.getByText('In progress', { exact: true }).click()
    await page.getByRole('button', { name: /Winner/ }).waitFor({ state: 'detached' })
    await becomes(() => entries(page).count(), 8)
    await shown.getByText('All', { exact: true }).click()
  })

  test('searches: the map shows who is found', async () => {
    await page.locator('.maplibregl-canvas').waitFor()
    const wide = await scaleOf(page)
    const search = page.getByRole('searchbox', { name: 'Search by name or number' })

    await search.fill('runner 7')

    await page.getByText('1 track', { exact: true }).waitFor()
    while ((await scaleOf(page)) === wide) await page.waitForTimeout(50)
    await becomes(() => entries(page).count(), 1)
    await search.fill('')
  })

  test('tells what is known of a runner, follows them, and says when it no longer does', async () => {
    const name = `Selected: ${LONG_NAME}`
    await entries(page).filter({ hasText: LONG_NAME }).click()
    const card = page.getByRole('region', { name })
    for (const fact of ['Distance', 'Time', 'Average', 'Now', 'Battery'])
      await card.getByText(fact, { exact: true }).waitFor()
    await card.getByText('50%').waitFor()
    await card.getByRole('link', { name: 'View track' }).waitFor()
    await assertSound(page)

    await card.getByRole('button', { name: 'Follow on map' }).click()
    await card.getByText(`The map follows ${LONG_NAME}.`).waitFor()
    const map = (await page.locator('.maplibregl-canvas').boundingBox())!
    await page.mouse.move(map.x + 200, map.y + 200)
    await page.mouse.down()
    await page.mouse.move(map.x + 320, map.y + 260, { steps: 5 })
    await page.mouse.up()

    await card.getByText('No longer following: you moved the map.').waitFor()
    await card.getByRole('button', { name: 'Follow on map', pressed: false }).waitFor()
    await card.getByRole('button', { name: 'Deselect' }).click()

    await entries(spectator).filter({ hasText: LONG_NAME }).click()
    const shared = spectator.getByRole('region', { name })
    await shared.getByText('Average', { exact: true }).waitFor()
    assert.equal(await shared.getByText('Battery').count(), 0)
    assert.equal(await shared.getByRole('link').count(), 0)
    await shared.getByRole('button', { name: 'Deselect' }).click()
  })

  test('goes back to the start of a small event, plays on from there, and comes to the present again', async () => {
    for (const visitor of [page, spectator]) {
      const slider = visitor.getByRole('slider', { name: 'Time shown' })
      await slider.press('Home')
      const back = visitor.getByRole('button', { name: 'Back to live' })
      await back.waitFor()
      const first = Number(await slider.getAttribute('aria-valuenow'))
      while (Number(await slider.getAttribute('aria-valuenow')) <= first) await visitor.waitForTimeout(50)
      await visitor.getByRole('button', { name: 'Pause' }).click()
      await visitor.getByRole('button', { name: 'Play' }).waitFor()
      await assertSound(visitor)

      await back.click()
      await back.waitFor({ state: 'detached' })
      await visitor.getByRole('button', { name: 'Pause' }).waitFor()
    }
  })

  test('leaves three quarters of a usual window to the map, beside the list, for operators and spectators', async () => {
    await page.getByRole('button', { name: 'Hide this notice' }).click()

    for (const visitor of [page, spectator]) {
      await visitor.setViewportSize({ width: 1440, height: 900 })
      // What buttons and texts cover is no map.
      while ((await visitor.evaluate<number>(SHARE_OF_MAP)) < 0.75) await visitor.waitForTimeout(100)
      assert.equal(await visitor.evaluate('document.documentElement.scrollHeight - innerHeight'), 0)
      await visitor.setViewportSize(WITH_MAP.viewport)
    }
  })

  test('shows one’s own position when asked, and explains why it cannot', async () => {
    await page.context().grantPermissions(['geolocation'])
    await page.context().setGeolocation({ latitude: 45.91, longitude: 6.81 })

    await page.getByRole('button', { name: 'My position' }).click()
    await page.getByRole('button', { name: 'My position', pressed: true }).waitFor()
    await page.locator('.own-position').waitFor()

    await spectator.getByRole('button', { name: 'My position' }).click()
    await spectator.getByText('Your browser does not share your position with this page.', { exact: false }).waitFor()
    await assertSound(spectator)
  })

  test('fills the screen', async () => {
    await page.getByRole('button', { name: 'Full screen' }).click()
    await page.getByRole('button', { name: 'Full screen', pressed: true }).waitFor()
    const width = async () => (await page.locator('.live-view').boundingBox())!.width
    await becomes(width, page.viewportSize()!.width)
    await page.getByRole('button', { name: 'Full screen' }).click()
    await page.getByRole('button', { name: 'Full screen', pressed: false }).waitFor()

    await page.getByRole('button', { name: 'Map without the list' }).press('Enter')
    await page.getByRole('region', { name: 'Tracks on the map' }).waitFor({ state: 'hidden' })
    await assertSound(page)
    await page.getByRole('button', { name: 'Map without the list' }).press('Enter')
    await page.getByRole('region', { name: 'Tracks on the map' }).waitFor()
  })

  test('has the navigation of the dashboard on demand, which the keyboard finds only then', async () => {
    const sections = page.getByRole('navigation', { name: 'Main navigation' })
    assert.equal(await sections.count(), 0)

    await page.getByRole('button', { name: 'Open navigation' }).press('Enter')
    await sections.getByRole('link', { name: 'Events' }).waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Close navigation' }).press('Enter')

    await sections.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: LONG_NAME, level: 1 }).waitFor()
  })

  test('shows the distance of an activity that is synced while the page is open', async () => {
    await race.phone.sync({ track: { title: 'Synced' }, points: wayOf(2, 100, 200) })

    await page
      .getByRole('button', { name: /Synced/ })
      .getByText(/ · [\d.]+ km/)
      .waitFor()
  })
})

describe('the live map of an event', async () => {
  const page = await dashboard.visitSignedIn({ after })
  const spectator = await dashboard.visit({ after })

  test('goes by the limits of the event, and says to spectators by how much it is delayed', async () => {
    const limits = { no_signal_after_sec: 7200, low_battery_percent: 1, spectator_delay_sec: 600 }
    const race = await startRace(limits)
    await race.run('Anna', 0, 120, 0)
    await race.run('Zoe', 1, 40, 45, 0.03)
    await page.goto(race.address)
    await spectator.goto(race.share)

    const zoe = entries(page).filter({ hasText: 'Zoe' })
    await zoe.getByText(/^45 minutes ago/).waitFor()
    assert.equal(await page.getByText('No signal').count(), 0)
    assert.equal(await zoe.getByText('3%').count(), 0)
    await spectator.getByText('Shown 10 minutes late').waitFor()
    // Ages go by the time that is shown.
    await entries(spectator)
      .filter({ hasText: 'Anna' })
      .getByText(/^(just now|\d+ seconds ago)/)
      .waitFor()
    assert.equal(await page.getByText('Shown 10 minutes late').count(), 0)
    await assertSound(spectator)
  })

  test('of years ago says when it was, and not that it is live', async () => {
    const race = await startRace()
    const points = wayOf(0, 30, 0).map((point, i) => ({
      ...point,
      timestamp: new Date(Date.UTC(2011, 6, 10, 6) + i * 15_000).toISOString(),
    }))
    await race.phone.sync({ track: { title: 'Ride of 2011', activity_type: 'bike' }, points })
    await page.goto(race.address)
    await spectator.goto(race.share)

    for (const visitor of [page, spectator]) {
      await visitor.getByRole('status').getByText('Finished on 10 Jul 2011').waitFor()
      await visitor
        .getByRole('button', { name: /Ride of 2011/ })
        .getByText(/10 Jul 2011/)
        .waitFor()
      assert.equal(await visitor.getByRole('status').getByText('Live', { exact: true }).count(), 0)
      await visitor
        .locator('.live-bar')
        .getByText(/\d:07:15/)
        .waitFor()
      await visitor.getByRole('slider', { name: 'Time shown' }).press('ArrowLeft')
      const back = visitor.getByRole('button', { name: 'Back to the end' })
      await back.click()
      await back.waitFor({ state: 'detached' })
    }
  })

  test('never tells of a time to come, whatever a phone takes for the time', async () => {
    const race = await startRace()
    const id = await race.run('Wrong clock', 0, 10, 1)
    await race.phone.add(id, [{ ...wayOf(0, 1, 0)[0], timestamp: '2085-01-01T00:00:00Z' }])
    await page.goto(race.address)

    const text = await entries(page).first().textContent()
    assert.doesNotMatch(text!, /in \d+ years|no signal/)
    await page.getByRole('link', { name: 'Events' }).first().click()
    await page.getByRole('link', { name: 'Race' }).first().waitFor()
    assert.equal(await page.getByText(/in \d+ years/).count(), 0)
  })
})
