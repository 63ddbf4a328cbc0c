import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { trackRequests } from '../support/track-requests.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard

async function sendTrack(token: string, start_ts: string): Promise<void> {
  const phone = trackRequests((method, path, json) => service.request(method, path, json, { 'X-API-Key': token }))
  await phone.sync({ track: { title: 'Around the crater', start_ts } })
}

describe('an event', async () => {
  const page = await dashboard.visitSignedIn({ after }, { timezoneId: 'America/New_York' })

  test('is refused without a name, and with days in the wrong order', async () => {
    await page.goto(dashboard.at('/events'))
    await page.getByRole('link', { name: 'New event' }).click()
    await page.getByLabel('First day').fill('2026-05-03')
    await page.getByLabel('Last day').fill('2026-05-02')
    await page.getByRole('button', { name: 'Create event' }).click()

    await page.getByText('Enter a name').waitFor()
    await page.getByText('The last day is before the first day').waitFor()
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await assertSound(page)
  })

  test('leads on from its name to course, start list, phones and spectators, and ticks each step', async () => {
    await page.getByLabel('Name').fill('Trail 2026')
    await page.getByLabel('First day').fill('2026-05-02')
    await page.getByLabel('Last day').fill('2026-05-03')
    await page.getByLabel('Note').fill('Start at the lake')
    await page.getByRole('button', { name: 'Create event' }).click()

    await page.getByRole('heading', { name: 'Trail 2026', level: 1 }).waitFor()
    await page.getByText('0 of 4 done').waitFor()
    await assertSound(page)
    const eventId = /\/events\/([\w-]+)/.exec(page.url())![1]
    const { races } = service.server.tracks!.deps
    await races.replaceRunners(eventId, [{ user_id: '7', bib: '7', name: 'Anna', category: null }])
    await service.createToken({ eventId, permissions: ['record'], userId: '7' })
    await page.getByRole('link', { name: 'Share the event' }).click()
    await page.getByRole('button', { name: 'Share event' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('/s/shr_').first().waitFor()
    await page.goto(dashboard.at(`/events/${eventId}`))

    await page.getByText('3 of 4 done').waitFor()
    await page.getByText('Done · 1 runner').waitFor()
    await page.getByText('Done · 1 code').waitFor()
    await page.getByText('Done · shared').waitFor()
    await page.getByRole('link', { name: 'Add the course' }).click()
    await page.getByRole('link', { name: 'Course', exact: true }).waitFor()
  })

  test('is renamed and limited in its settings, which have what a signal, a battery and a delay are', async () => {
    const fields = {
      'Maximum tracks': '12',
      'No signal after (minutes)': '12',
      'Low battery (%)': '25',
      'Spectators’ delay (minutes)': '1.5',
    }
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name').fill('After')
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.locator('button:focus').getByText('Save', { exact: true }).waitFor()
    await assertSound(page)
    await page.reload()
    for (const [label, value] of Object.entries(fields)) await becomes(() => page.getByLabel(label).inputValue(), value)
  })

  test('has commands for developers that put a first track on the map', async () => {
    const { id, token } = await service.createEvent('Quiet')
    await page.goto(dashboard.at(`/events/${id}/settings/developers`))

    await page.getByRole('button', { name: 'Try it in a terminal' }).click()
    await page.getByText(`X-API-Key: ${token}`).first().waitFor()
    await assertSound(page)
    assert.equal(await page.getByRole('img', { name: /QR code/ }).count(), 0)
    await page.getByRole('link', { name: 'Tracks', exact: true }).click()
    await page.getByRole('heading', { name: 'From here to the race' }).waitFor()
  })

  test('tells how many tracks a shorter retention erases, and asks', async () => {
    const { id, token } = await service.createEvent('Kept')
    await sendTrack(token, '2026-05-03T06:15:00Z')
    const { db } = service.server.tracks!.deps
    await db.updateTable('tracks').set({ created_at: 0, updated_at: 0 }).where('event_id', '=', id).execute()
    await page.goto(dashboard.at(`/events/${id}/settings`))

    await page.getByLabel('Erase tracks after this many days').fill('30')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase 1 track?' })
    await dialog.getByText(/1 track of this event/).waitFor()
    await assertSound(page)
    const events = db.selectFrom('events').select('retention_days').where('id', '=', id)
    const retention = async () => (await events.executeTakeFirstOrThrow()).retention_days
    assert.equal(await retention(), null)
    await dialog.getByRole('button', { name: 'Save and erase', exact: true }).click()

    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save', exact: true }).and(page.locator(':enabled')).waitFor()
    await becomes(retention, 30)
  })

  test('has a time zone, found by typing a part of its name, in which its times are shown and named', async () => {
    const { id, token } = await service.createEvent('Far away')
    await sendTrack(token, '2026-07-14T21:30:00Z')
    await page.goto(dashboard.at(`/events/${id}/settings`))

    await page.getByRole('combobox', { name: 'Time zone' }).fill('reun')
    await page.getByRole('option', { name: 'Indian/Reunion' }).click()
    await assertSound(page)
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByText('Times in Indian/Reunion').waitFor()
    await page.getByRole('link', { name: 'Tracks', exact: true }).click()
    await page.getByText('15 Jul 2026, 01:30 UTC+4').waitFor()
    await page.getByRole('link', { name: 'Around the crater' }).click()
    await page.getByText('15 Jul 2026, 01:30 UTC+4').waitFor()
  })

  test('is deleted only after its name has been typed, with the quotes of a keyboard', async () => {
    const { id } = await service.createEvent('L’été « à vélo »')
    await page.goto(dashboard.at(`/events/${id}/settings`))

    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type the name').fill('L’été')
    await dialog.getByRole('button', { name: 'Delete event' }).and(page.locator(':disabled')).waitFor()
    await assertSound(page)
    await dialog.getByLabel('Type the name').fill('L\'été "à vélo"')
    await dialog.getByRole('button', { name: 'Delete event' }).click()

    await page.getByText('Deleted L’été « à vélo »').waitFor()
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'L’été « à vélo »' }).waitFor({ state: 'detached' })
  })
})

describe('the places of an event', async () => {
  const { eventId } = service
  const page = await dashboard.visitSignedIn({ after })
  const OLD: [string, string][] = [
    ['/race', '/results'],
    ['/race/results?category=F40', '/results?category=F40&view=passings'],
    ['/race/course', '/course'],
    ['/race/runners', '/participants'],
    ['/phones', '/participants/phones'],
    ['/tokens/sheet', '/participants/codes'],
    ['/tokens', '/settings/developers'],
    ['/webhooks', '/settings/developers'],
    ['/sharing', '/share'],
  ]

  test('are where the addresses of former pages lead', async () => {
    await page.goto(dashboard.at(`/events/${eventId}`))
    await page.getByRole('navigation', { name: 'Event pages' }).waitFor()
    for (const [old, now] of OLD) {
      await dashboard.go(page, dashboard.at(`/events/${eventId}${old}`))
      await page.waitForURL(dashboard.at(`/events/${eventId}${now}`))
      await page.getByRole('navigation', { name: 'Event pages' }).waitFor()
    }
  })

  test('are reached by the keyboard, and say which one is open', async () => {
    await page.goto(dashboard.at(`/events/${eventId}`))
    const places = page.getByRole('navigation', { name: 'Event pages' })

    await places.getByRole('link', { name: 'Live' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Course & results' }).getByRole('link', { name: 'Course' }).click()

    await page.getByRole('heading', { name: 'No course yet' }).waitFor()
    await becomes(() => places.locator('[aria-current]').textContent(), 'Course & results')
    await becomes(() => page.title(), 'Course · Default · Trackpress')
    await assertSound(page)
  })

  test('are whole words in French on a computer and on a phone, and stay within the window', async (t) => {
    const page = await dashboard.visitSignedIn(t, { viewport: { width: 1024, height: 768 }, locale: 'fr-FR' })
    await page.goto(dashboard.at(`/events/${eventId}/participants`))
    const links = page.getByRole('navigation', { name: 'Pages de l’événement' }).getByRole('link')
    for (const [width, height] of [
      [1024, 768],
      [390, 844],
    ]) {
      await page.setViewportSize({ width, height })
      await becomes(() => links.count(), 4)
      assert.deepEqual(await links.allInnerTexts(), ['En direct', 'Participants', 'Parcours et résultats', 'Traces'])
      const boxes = await page.evaluate<number[][]>(`[...document.querySelectorAll('.event-places a')].map((link) => {
        const { right, bottom } = link.getBoundingClientRect()
        return [link.scrollWidth - link.clientWidth, right, bottom]
      })`)
      for (const [cutPx, rightPx, bottomPx] of boxes) {
        assert.ok(cutPx <= 0 && rightPx <= width && bottomPx <= height, `${cutPx} px cut, to ${rightPx}, ${bottomPx}`)
      }
    }
    await page.getByRole('link', { name: 'Partager' }).click()
    await page.getByText('Rien n’est partagé').waitFor()
    await assertSound(page)

    // Large text leaves the name of the event its room beside them.
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(dashboard.at(`/events/${eventId}`))
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    await becomes(async () => ((await page.locator('.event-name').boundingBox())?.width ?? 0) >= 7 * 32, true)
  })
})

describe('the rehearsal of an event', () => {
  test('begins with one click, is marked as one with its runners on the map, and goes with one', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const { id } = await service.createEvent('Tried')
    await page.goto(dashboard.at(`/events/${id}`))
    const begin = page.getByRole('button', { name: 'Start rehearsal' })
    await begin.and(page.locator(':disabled')).waitFor()
    await page.getByText('It needs a course and a start list first.').waitFor()
    const course = `/operator/events/${id}/course`
    assert.equal((await service.operator.send('PUT', course, makeGpx(LAKE), 'application/gpx+xml')).status, 200)
    const { races } = service.server.tracks!.deps
    const runners = ['Anna', 'Ben', 'Chloé'].map((name, i) => ({ user_id: `${i}`, bib: `${i}`, name, category: null }))
    await races.replaceRunners(id, runners)
    await page.reload()

    await begin.click()

    await page.getByRole('heading', { name: 'Rehearsal: Tried', level: 1 }).waitFor()
    await page.getByText('This is a rehearsal with simulated phones.').waitFor()
    await page.getByRole('button', { name: /^0 · Anna/ }).waitFor()
    await page.getByRole('link', { name: 'Course & results' }).click()
    await page.getByText('On the course').first().waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Remove rehearsal' }).click()
    const question = page.getByRole('dialog', { name: 'Remove the rehearsal?' })
    await question.getByRole('button', { name: 'Remove rehearsal' }).click()
    await page.getByRole('heading', { name: 'Tried', level: 1, exact: true }).waitFor()
    await begin.and(page.locator(':enabled')).waitFor()
    await page.goto(dashboard.at('/events'))
    await page.getByRole('link', { name: 'Tried' }).waitFor()
    await page.getByRole('link', { name: 'Rehearsal: Tried' }).waitFor({ state: 'detached' })
  })
})
