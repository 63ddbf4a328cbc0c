import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })

async function createEvent(page: Page, name: string): Promise<string> {
  await page.goto(dashboard.at('/events/new'))
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create event' }).click()
  await page.getByRole('heading', { name: 'From here to the race' }).waitFor()
  const eventId = /\/events\/([\w-]+)/.exec(page.url())![1]
  return (await dashboard.service.server.tracks!.deps.eventTokens.showFirst(eventId)).text!
}

async function sendTrack(token: string, start_ts: string): Promise<void> {
  const track = { device_track_id: start_ts, title: 'Around the crater', start_ts }
  const answer = await fetch(`${dashboard.service.url}/sync`, {
    method: 'POST',
    headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ track, points: [] }),
  })
  assert.equal(answer.status, 201)
}

describe('an event', () => {
  test('leads on from its name to course, start list, phones and spectators, and ticks each step', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/events'))

    await page.getByRole('link', { name: 'New event' }).click()
    await page.getByLabel('Name').fill('Trail 2026')
    await page.getByLabel('First day').fill('2026-05-02')
    await page.getByLabel('Last day').fill('2026-05-03')
    await page.getByLabel('Note').fill('Start at the lake')
    await assertSound(page)
    await page.getByRole('button', { name: 'Create event' }).click()

    await page.getByRole('heading', { name: 'Trail 2026', level: 1 }).waitFor()
    await page.getByText('0 of 4 done').waitFor()
    await assertSound(page)
    const address = page.url()
    const eventId = /\/events\/([\w-]+)/.exec(address)![1]
    const { races } = dashboard.service.server.tracks!.deps
    await races.replaceRunners(eventId, [{ user_id: '7', bib: '7', name: 'Anna', category: null }])
    await dashboard.service.createToken({ eventId, permissions: ['record'], userId: '7' })
    await page.getByRole('link', { name: 'Share the event' }).click()
    await page.getByRole('button', { name: 'Share event' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('/s/shr_').first().waitFor()
    await page.goto(address)

    await page.getByText('3 of 4 done').waitFor()
    await page.getByText('Done · 1 runner').waitFor()
    await page.getByText('Done · 1 code').waitFor()
    await page.getByText('Done · shared').waitFor()
    await page.getByRole('link', { name: 'Add the course' }).click()
    await page.getByRole('link', { name: 'Course', exact: true }).waitFor()
  })

  test('is refused without a name, and with days in the wrong order', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at('/events/new'))
    await page.getByLabel('First day').fill('2026-05-03')
    await page.getByLabel('Last day').fill('2026-05-02')
    await page.getByRole('button', { name: 'Create event' }).click()

    await page.getByText('Enter a name').waitFor()
    await page.getByText('The last day is before the first day').waitFor()
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await assertSound(page)
  })

  test('has commands for developers that put a first track on the map', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const token = await createEvent(page, 'Quiet')
    await openSettings(page, 'Developers')

    await page.getByRole('button', { name: 'Try it in a terminal' }).click()
    await page.getByText(`X-API-Key: ${token}`).first().waitFor()
    await assertSound(page)
    assert.equal(await page.getByRole('img', { name: /QR code/ }).count(), 0)
    await page.getByRole('link', { name: 'Tracks', exact: true }).click()
    await page.getByRole('heading', { name: 'From here to the race' }).waitFor()
  })

  test('is renamed and limited in its settings', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await createEvent(page, 'Before')

    await openSettings(page)
    await page.getByLabel('Name').fill('After')
    await page.getByLabel('Maximum tracks').fill('12')
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
    await assertSound(page)
    await page.reload()
    await becomes(() => page.getByLabel('Maximum tracks').inputValue(), '12')
  })

  for (const { locale, days, save, dialog: title, erase, says } of [
    {
      locale: 'en-GB',
      days: 'Erase tracks after this many days',
      save: 'Save',
      dialog: 'Erase 1 track?',
      erase: 'Save and erase',
      says: /1 track of this event/,
    },
    {
      locale: 'fr-FR',
      days: 'Effacer les traces après ce nombre de jours',
      save: 'Enregistrer',
      dialog: 'Effacer 1 trace ?',
      erase: 'Enregistrer et effacer',
      says: /1 trace de cet événement/,
    },
  ])
    test(`tells how many tracks a shorter retention erases, and asks, in ${locale}`, async (t) => {
      const { id } = await dashboard.service.createEvent(`Kept, ${locale}`)
      const token = await dashboard.service.createToken({ eventId: id })
      await sendTrack(token, '2026-05-03T06:15:00Z')
      const { db } = dashboard.service.server.tracks!.deps
      await db.updateTable('tracks').set({ created_at: 0, updated_at: 0 }).where('event_id', '=', id).execute()
      const page = await dashboard.visitSignedIn(t, { locale })
      await page.goto(dashboard.at(`/events/${id}/settings`))

      await page.getByLabel(days).fill('30')
      await page.getByRole('button', { name: save, exact: true }).click()
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.getByText(says).waitFor()
      await assertSound(page)
      const retention = async () =>
        (await db.selectFrom('events').select('retention_days').where('id', '=', id).executeTakeFirstOrThrow())
          .retention_days
      assert.equal(await retention(), null)
      await dialog.getByRole('button', { name: erase, exact: true }).click()

      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: save, exact: true }).and(page.locator(':enabled')).waitFor()
      while ((await retention()) === null) await page.waitForTimeout(50)
      assert.equal(await retention(), 30)
    })

  test('has a time zone, found by typing a part of its name, in which its times are shown and named', async (t) => {
    const page = await dashboard.visitSignedIn(t, { timezoneId: 'America/New_York' })
    const token = await createEvent(page, 'Far away')
    await sendTrack(token, '2026-07-14T21:30:00Z')
    await openSettings(page)

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

  test('says when a runner has no signal, a battery is low, and how much later spectators see it', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await createEvent(page, 'Watched')
    await openSettings(page)

    await page.getByLabel('No signal after (minutes)').fill('12')
    await page.getByLabel('Low battery (%)').fill('25')
    await page.getByLabel('Spectators’ delay (minutes)').fill('1.5')
    await assertSound(page)
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await becomes(() => page.getByLabel('No signal after (minutes)').inputValue(), '12')
    assert.equal(await page.getByLabel('Low battery (%)').inputValue(), '25')
    assert.equal(await page.getByLabel('Spectators’ delay (minutes)').inputValue(), '1.5')
  })

  test('is deleted only after its name has been typed', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await createEvent(page, 'Short-lived')
    await openSettings(page)

    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type the name').fill('Short')
    await dialog.getByRole('button', { name: 'Delete event' }).and(page.locator(':disabled')).waitFor()
    await assertSound(page)
    await dialog.getByLabel('Type the name').fill('Short-lived')
    await dialog.getByRole('button', { name: 'Delete event' }).click()

    await page.getByText('Deleted Short-lived').waitFor()
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Short-lived' }).waitFor({ state: 'detached' })
  })

  test('is deleted when its name is typed with the quotes of a keyboard', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await createEvent(page, 'L’été « à vélo »')
    await openSettings(page)

    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByLabel('Type the name').fill('L\'été "à vélo"')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete event' }).click()

    await page.getByText('Deleted L’été « à vélo »').waitFor()
  })

  test('that does not exist is not found', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at('/events/0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77/tracks'))

    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await assertSound(page)
  })
})

describe('the places of an event', () => {
  const { eventId } = dashboard.service
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

  test('are where the addresses of former pages lead', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    for (const [old, now] of OLD) {
      await page.goto(dashboard.at(`/events/${eventId}${old}`))
      await page.waitForURL(dashboard.at(`/events/${eventId}${now}`))
      await page.getByRole('navigation', { name: 'Event pages' }).waitFor()
    }
  })

  test('are reached by the keyboard, and say which one is open', async (t) => {
    const page = await dashboard.visitSignedIn(t)
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

  for (const [width, height] of [
    [1024, 768],
    [390, 844],
  ])
    test(`are whole words in French at ${width} px, and stay within the window`, async (t) => {
      const page = await dashboard.visitSignedIn(t, { viewport: { width, height }, locale: 'fr-FR' })
      await page.goto(dashboard.at(`/events/${eventId}/participants`))
      const links = page.getByRole('navigation', { name: 'Pages de l’événement' }).getByRole('link')
      await links.first().waitFor()

      assert.deepEqual(await links.allInnerTexts(), ['En direct', 'Participants', 'Parcours et résultats', 'Traces'])
      const boxes = await page.evaluate<number[][]>(`[...document.querySelectorAll('.event-places a')].map((link) => {
        const { right, bottom } = link.getBoundingClientRect()
        return [link.scrollWidth - link.clientWidth, right, bottom]
      })`)
      for (const [cutPx, rightPx, bottomPx] of boxes) {
        assert.ok(cutPx <= 0 && rightPx <= width && bottomPx <= height, `${cutPx} px cut, to ${rightPx}, ${bottomPx}`)
      }
      await page.getByRole('link', { name: 'Partager' }).click()
      await page.getByText('Rien n’est partagé').waitFor()
      await assertSound(page)
    })
})

describe('the rehearsal of an event', () => {
  test('begins with one click, is marked as one with its runners on the map, and goes with one', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const { id } = await dashboard.service.createEvent('Tried')
    await page.goto(dashboard.at(`/events/${id}`))
    const begin = page.getByRole('button', { name: 'Start rehearsal' })
    await begin.and(page.locator(':disabled')).waitFor()
    await page.getByText('It needs a course and a start list first.').waitFor()
    const { request } = page.context()
    const put = {
      headers: { Origin: dashboard.service.url, 'Content-Type': 'application/gpx+xml' },
      data: makeGpx(LAKE),
    }
    const course = await request.put(`${dashboard.service.url}/operator/events/${id}/course`, put)
    assert.equal(course.status(), 200)
    const { races } = dashboard.service.server.tracks!.deps
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
    await page.getByRole('heading', { name: 'Tried', level: 1, exact: true }).waitFor()
    await begin.and(page.locator(':enabled')).waitFor()
    await page.goto(dashboard.at('/events'))
    await page.getByRole('link', { name: 'Tried' }).waitFor()
    await page.getByRole('link', { name: 'Rehearsal: Tried' }).waitFor({ state: 'detached' })
  })
})

describe('the tokens of an event', () => {
  const works = async (token: string) => {
    const { status } = await fetch(`${dashboard.service.url}/tracks`, { headers: { 'X-API-Key': token } })
    return status === 200
  }

  test('are created, shown again and revoked', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const first = await createEvent(page, 'Two teams')
    await openSettings(page, 'Developers')

    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Label').fill('Timing team')
    await page.getByRole('button', { name: 'Create token' }).click()
    const second = (await page.getByRole('dialog').getByText(/^trk_/).first().textContent())!
    await assertSound(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    assert.deepEqual([await works(first), await works(second)], [true, true])

    await page.getByRole('button', { name: 'Show token: Timing team' }).click()
    await page.getByRole('dialog').getByText(second).first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Revoke token: Timing team' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()

    await page.getByText('Token revoked').waitFor()
    await assertSound(page)
    assert.deepEqual([await works(first), await works(second)], [true, false])
  })

  test('are replaced immediately if the operator chooses so', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    const old = await createEvent(page, 'Leaked')
    await openSettings(page, 'Developers')

    await page.getByRole('button', { name: 'Replace first token' }).click()
    await page.getByLabel('Old token expires').selectOption('Immediately')
    await page.getByRole('button', { name: 'Replace token', exact: true }).click()
    const made = (await page.getByRole('dialog').getByText(/^trk_/).first().textContent())!

    assert.deepEqual([await works(old), await works(made)], [false, true])
  })
})

/** Opens the settings of the shown event, or the other page of them. */
async function openSettings(page: Page, other?: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click()
  if (other !== undefined) await page.getByRole('link', { name: other }).click()
}
