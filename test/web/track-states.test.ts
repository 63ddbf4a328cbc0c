import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createEvent } from '../support/create-event.ts'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { type At, runThrough } from '../support/make-race.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { AROUND } from '../support/race-requests.ts'

const MINUTE_MS = 60_000
const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard

/** A race of which nobody has ended the recording: one has arrived, one was lost on the way, one is off the course. */
async function openRace() {
  const { id, phone } = await createEvent(service, { name: 'Lake run' })
  const put = async (part: string, type: string, body: string) =>
    assert.ok((await service.operator.send('PUT', `/operator/events/${id}/${part}`, body, type)).ok)
  await put('course', 'application/gpx+xml', makeGpx(LAKE))
  await put('runners', 'text/csv', 'bib,name,user_id\n7,Anna,anna\n9,Ben,ben\n11,Cleo,cleo\n13,Dora,dora')
  /** Records a way that ended so many minutes ago. */
  const run = async (fields: object, places: readonly At[], minutesAgo: number) => {
    const way = runThrough(places)
    const endSec = way.at(-1)!.sec
    const points = way.map(({ sec, latitude, longitude }) => ({
      timestamp: new Date(Date.now() - minutesAgo * MINUTE_MS - (endSec - sec) * 1000).toISOString(),
      latitude: latitude!,
      longitude: longitude!,
      accuracy: 5,
    }))
    const trackId = await phone.create({ start_ts: points[0].timestamp, ...fields })
    await phone.add(trackId, points)
    return trackId
  }
  await run({ user_id: 'anna' }, AROUND, 60)
  await run({ user_id: 'ben' }, AROUND.slice(0, 2), 60)
  await run({ user_id: 'cleo' }, [...AROUND.slice(0, 2), [3400, 0]], 0)
  await phone.finish(await run({ user_id: 'dora' }, AROUND.slice(0, 2), 50))
  await phone.finish(await run({ title: 'Reconnaissance' }, AROUND.slice(0, 3), 120))
  return { path: dashboard.at(`/events/${id}`), share: await dashboard.share({}, id) }
}

const race = await openRace()

describe('the state of a runner', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('is in the list of tracks and on their pages that of the race, although the phone goes on: finished, without a signal, off the course, ended early', async () => {
    await page.goto(`${race.path}/tracks`)

    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('Anna').getByText('Finished').waitFor()
    await row('Ben').getByText('No signal').waitFor()
    await row('Cleo').getByText('Off course').waitFor()
    await row('Dora').getByText('Ended early').waitFor()
    await row('Reconnaissance').getByText('Finished').waitFor()
    assert.equal(await page.getByRole('row').filter({ hasText: 'In progress' }).count(), 0)

    await page.getByRole('checkbox', { name: /Anna/ }).check()
    await page.getByRole('checkbox', { name: /Dora/ }).check()
    await page.getByRole('link', { name: 'Compare', exact: true }).click()
    await page.getByRole('heading', { name: 'Comparison' }).waitFor()
    await page.getByText('Finished', { exact: true }).waitFor()
    await page.getByText('Ended early', { exact: true }).waitFor()

    await page.goto(`${race.path}/tracks`)
    await row('Anna').getByRole('link').first().click()
    await page.getByRole('heading', { name: /Anna/ }).waitFor()
    await page.getByText('Finished', { exact: true }).waitFor()
  })

  test('is on the live map that of the recording for a track of nobody on the start list', async () => {
    await page.goto(race.path)

    await page.getByRole('button', { name: /Reconnaissance.*Finished/s }).waitFor()
    await page.getByRole('button', { name: /Cleo.*Off course/s }).waitFor()
  })

  test('is no alert for spectators', async (t) => {
    const page = await dashboard.visit(t)
    await page.goto(race.share)
    await page.getByRole('button', { name: /Cleo.*In progress/s }).waitFor()
    await page.getByRole('button', { name: /Anna.*Finished/s }).waitFor()
    assert.equal(await page.getByText(/off (the )?course/i).count(), 0)
    await page.goto(`${race.share}/results`)
    await page.getByText('Cleo').first().waitFor()

    assert.equal(await page.getByText(/off (the )?course/i).count(), 0)
  })

  test('is in results that fit a phone before the script has loaded, with place, name and time', async (t) => {
    const phone = { width: 390, height: 844 }
    const page = await dashboard.visit(t, { javaScriptEnabled: false, viewport: phone })
    await page.goto(`${race.share}/results`)

    const heads = page.getByRole('columnheader')
    await heads.filter({ hasText: 'Time' }).waitFor()
    assert.deepEqual(await heads.allTextContents(), ['Place', 'Bib', 'Name', 'Last checkpoint', 'Time'])
    const table = (await page.getByRole('table').boundingBox())!
    assert.ok(table.x + table.width <= phone.width, `the table ends at ${table.x + table.width} px`)
  })
})
