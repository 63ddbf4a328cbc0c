import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { OperatorTrack } from '../../src/tracks/api/operator-track-schemas.ts'
import { makePoints } from '../support/make-points.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { trackRequests } from '../support/track-requests.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard
const phone = trackRequests(service.request)

describe('a track that was recorded wrong', async () => {
  const page = await dashboard.visitSignedIn({ after }, { timezoneId: 'UTC' })

  test('gets a new title, but not an empty one, another activity and its person, which its page and its list show, and what its altitudes are above', async () => {
    const id = await phone.sync({ track: { title: 'Sortie du 3 mai', user_id: 'x' }, points: makePoints(30) })
    await page.goto(dashboard.at(`/tracks/${id}`))

    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit track' })
    await dialog.getByLabel('Title').fill(' ')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a title').waitFor()
    assert.equal((await phone.read(id)).title, 'Sortie du 3 mai')
    await dialog.getByLabel('Title').fill('Élodie’s ride')
    await dialog.getByLabel('Activity').selectOption('Ride')
    await dialog.getByLabel('Participant ID').fill('bib 17')
    await dialog.getByLabel('Altitudes are above').selectOption('The ellipsoid of WGS 84')
    await assertSound(page)
    await dialog.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('heading', { name: 'Élodie’s ride', level: 1 }).waitFor()
    await page.getByText(/^Ride · .* · bib 17 · /).waitFor()
    const { altitude_reference } = (await phone.read(id)) as { altitude_reference?: string }
    assert.equal(altitude_reference, 'ellipsoid')
    await page.goto(dashboard.at(`/events/${service.eventId}/tracks?q=elodie`))
    await page.getByRole('link', { name: 'Élodie’s ride' }).waitFor()
  })

  test('is trimmed by keyboard to the part that is shown, and shown whole again', async () => {
    const points = makePoints(101)
    const id = await phone.sync({ track: { title: 'With the way home' }, points })
    const shown = async () => {
      const track = await service.answer<OperatorTrack>(200, 'GET', `/operator/tracks/${id}`)
      return [track.shown_from, track.shown_until, track.points_count]
    }
    await page.goto(dashboard.at(`/tracks/${id}`))

    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('slider', { name: 'Shown from' }).press('ArrowRight')
    for (let i = 0; i < 3; i++) await dialog.getByRole('slider', { name: 'Shown until' }).press('ArrowLeft')
    await dialog.getByText('Hidden at the start: 1 s · Hidden at the end: 3 s').waitFor()
    await assertSound(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const trimmed = await shown()
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByRole('button', { name: 'Show all' }).click()
    await dialog.getByText('Nothing is hidden.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })

    assert.deepEqual(trimmed, [points[1].timestamp, points[97].timestamp, 101])
    assert.deepEqual(await shown(), [null, null, 101])
  })

  test('is finished at its last point after its phone died', async () => {
    const points = makePoints(20)
    const id = await phone.create({ title: 'Lost phone', start_ts: points[0].timestamp })
    await phone.add(id, points)
    await page.goto(dashboard.at(`/tracks/${id}`))

    await page.getByRole('button', { name: 'Finish…' }).click()
    await page.getByText('on 3 May 2026, 06:00 UTC').waitFor()
    await page.getByRole('button', { name: 'Finish track' }).click()

    await page.getByText('Finished Lost phone').waitFor()
    await page.getByRole('button', { name: 'Finish…' }).waitFor({ state: 'hidden' })
    const track = await phone.read(id)
    assert.deepEqual([track.state, track.end_ts], ['stopped', points[19].timestamp])

    await page.getByRole('button', { name: 'Reopen…' }).click()
    await page.getByRole('dialog', { name: 'Reopen “Lost phone”?' }).getByText('The track goes on').waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Reopen track' }).press('Enter')
    await page.getByText('Reopened Lost phone').waitFor()
    await page.getByRole('button', { name: 'Finish…' }).waitFor()
    assert.deepEqual((({ state, end_ts }) => [state, end_ts])(await phone.read(id)), ['running', null])
  })
})
