import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { LAKE, makeGpx, placeAt } from '../support/make-course.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound, WITH_MAP } from '../support/visit.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard
const START_MS = Date.UTC(2026, 4, 3, 6)
const GPX = { name: 'lake.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(makeGpx(LAKE)) }

/** Returns points along the lake from one distance to another, 25 m apart, at so many metres per second. */
function lapPoints(fromM: number, toM: number, mps: number) {
  const points: object[] = []
  for (let meters = fromM; meters <= toM; meters += 25) {
    const side = Math.min(3, Math.floor(meters / 1000))
    const along = meters - side * 1000
    const place = [placeAt(along, 0), placeAt(1000, along), placeAt(1000 - along, 1000), placeAt(0, 1000 - along)][side]
    points.push({ ...place, accuracy: 4, timestamp: new Date(START_MS + (meters / mps) * 1000).toISOString() })
  }
  return points
}

async function startRunner(user_id: string): Promise<string> {
  const start_ts = new Date(START_MS).toISOString()
  const made = await service.request('POST', '/tracks', { device_track_id: user_id, title: user_id, user_id, start_ts })
  return ((await made.json()) as { id: string }).id
}
const run = async (id: string, points: object[]) => await service.request('POST', `/tracks/${id}/points`, { points })

const racePage = async (page: Page, part: string) =>
  await dashboard.go(page, dashboard.at(`/events/${service.eventId}${part}`))
const rowsOf = async (page: Page, table: string) =>
  (await page.getByRole('table', { name: table }).locator('tbody tr:not([aria-hidden])').allInnerTexts()).map((row) =>
    row.split(/\s*[\t\n]\s*/),
  )

describe('an operator', async () => {
  const page = await dashboard.visitSignedIn({ after }, WITH_MAP)

  test('finds out what a course gives and where to get one, and uploads it', async () => {
    await racePage(page, '')
    await page.getByRole('link', { name: 'Course & results' }).click()
    await page.getByRole('link', { name: 'Set the course' }).click()
    await page.getByRole('heading', { name: 'No course yet' }).waitFor()
    await page.getByText('from a route planner').waitFor()
    await assertSound(page)

    await page.locator('#content input[type="file"]').setInputFiles({ ...GPX, buffer: Buffer.from('<kml/>') })
    await page.getByRole('alert').getByText('This file cannot be the course').waitFor()
    await page.locator('#content input[type="file"]').setInputFiles(GPX)

    // The file has the name of a recording.
    const name = page.getByRole('textbox', { name: 'Name of the course' })
    assert.equal(await name.inputValue(), 'Around the lake')
    await name.fill('Lake loop')
    await name.press('Enter')
    await page.getByRole('heading', { name: 'Lake loop' }).waitFor()
    await page.getByText('4.00 km').first().waitFor()
    const checkpoints = page.getByRole('list', { name: 'Checkpoints' }).getByRole('listitem')
    await checkpoints.nth(1).waitFor()
    assert.equal(await checkpoints.count(), 2)
    await page.getByRole('img', { name: /^Elevation of the course/ }).waitFor()

    const climb = page.getByRole('textbox', { name: 'Climb as you state it' })
    await climb.fill('2480')
    await page.getByRole('button', { name: 'Save climb' }).click()
    await page.getByText('4.00 km · 2,480 m climb').waitFor()
    await assertSound(page)
  })

  test('renames the course, and keeps its name with Escape', async () => {
    const rename = page.getByRole('button', { name: 'Rename course' })
    const name = page.getByRole('textbox', { name: 'Name of the course' })

    await rename.press('Enter')
    await name.fill('Something else')
    await name.press('Escape')
    await page.getByRole('heading', { name: 'Lake loop' }).waitFor()
    await rename.press('Enter')
    await name.fill('  Round the lake ')
    await page.getByRole('button', { name: 'Save name' }).click()

    await page.getByRole('heading', { name: 'Round the lake', exact: true }).waitFor()
  })

  test('adds a checkpoint with the keyboard, and drags it along the course', async () => {
    const row = page.getByRole('list', { name: 'Checkpoints' }).getByRole('listitem').nth(1)
    await page.getByRole('button', { name: 'Add checkpoint' }).press('Enter')
    await row.getByLabel('Name').fill('Bridge')
    await row.getByLabel('Along (km)').fill('1.5')
    await page.getByRole('link', { name: 'Participants' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'hidden' })
    assert.equal(await row.getByLabel('Name').inputValue(), 'Bridge')
    await page.getByRole('button', { name: 'Save checkpoints' }).click()
    await page.getByText('Checkpoints saved').first().waitFor()

    const marker = page.locator('.checkpoint-marker[title="Bridge"]')
    // The map is at rest once a pointer can be held over a marker.
    await marker.hover()
    const from = (await marker.boundingBox())!
    const finish = (await page.locator('.checkpoint-marker[title="Finish"]').boundingBox())!
    await page.mouse.move(from.x + 11, from.y + 11)
    await page.mouse.down()
    await page.mouse.move(from.x + 20, from.y - 5, { steps: 4 })
    // To the north, where the course turns west.
    await page.mouse.move(from.x + 11, from.y - (finish.y - from.y) * 0.5, { steps: 8 })
    await page.mouse.up()

    await becomes(() => row.getByLabel('Along (km)').inputValue(), /^(1\.[6-9]\d*|2|2\.[0-2]\d*)$/)
    await row.getByLabel('Along (km)').fill('2')
    await page.getByRole('button', { name: 'Save checkpoints' }).click()
    await page.getByRole('button', { name: 'Save checkpoints' }).waitFor({ state: 'detached' })
  })

  test('sets a common start in the time zone of the event', async () => {
    await page.getByLabel('Common start').check()
    await page.getByLabel('Time of the start').fill('2026-05-03T06:00:00')
    await page.getByRole('link', { name: 'Participants' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()

    await page.getByText('Starts 3 May 2026, 06:00').waitFor()
    const net = page.getByLabel('Crossing the start line (net time)')
    await becomes(() => net.isChecked(), false)
    await net.check()
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    assert.equal((await saved).status(), 200)
    await page.reload()
    await becomes(() => net.isChecked(), true)
    const bridge = page.getByRole('list', { name: 'Checkpoints' }).getByRole('listitem').nth(1)
    await becomes(() => bridge.getByLabel('Along (km)').inputValue(), '2')
    await assertSound(page)
  })

  test('pastes a start list, is told which line is wrong, and stores it once it is right', async () => {
    await page.getByRole('link', { name: 'Participants' }).click()
    await page.getByRole('heading', { name: 'No start list yet' }).waitFor()
    const list = page.getByLabel('Start list as CSV')

    await list.fill('bib;name;category;user_id\n7;Anna Martin;F40;anna\n8;;M;ben\n')
    await page.getByText('One thing is wrong. Nothing is stored yet.').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Line 3 (name) must not be empty. 8;;M;ben' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor()
    await assertSound(page)

    await list.fill(
      'bib;name;category;user_id;club\n7;Anna Martin;F40;anna;CAF\n8;Ben Dubois;M;ben\n9;Chloé Petit;F40;chloe\n',
    )
    await page.getByText('3 runners in 2 categories.').waitFor()
    await page.getByText('Columns that are not imported: club.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()

    await page
      .getByRole('table', { name: 'Participants' })
      .getByRole('cell', { name: 'Ben Dubois', exact: true })
      .waitFor()
    assert.deepEqual((await rowsOf(page, 'Participants'))[1].slice(0, 4), ['8', 'Ben Dubois', 'M', '–'])
    await page.getByLabel('Status of Chloé Petit').selectOption('Did not finish')
    const dialog = page.getByRole('dialog', { name: 'Did not finish: 9 · Chloé Petit' })
    await dialog.getByLabel('Place on the course').fill('Bridge')
    await assertSound(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row').filter({ hasText: 'Chloé Petit' }).getByText('Bridge').waitFor()
    await page.getByLabel('Status of Chloé Petit').selectOption('Did not start')

    const rows = page.getByRole('table', { name: 'Participants' }).locator('tbody tr:not([aria-hidden])')
    await page.getByRole('button', { name: 'Add participant' }).press('Enter')
    const adding = page.getByRole('dialog', { name: 'Add participant' })
    await adding.getByLabel('Bib').fill('8')
    await adding.getByLabel('Name').fill('Eve')
    await adding.getByRole('button', { name: 'Add', exact: true }).click()
    await adding.getByText('Another runner has this bib.').waitFor()
    await assertSound(page)
    await adding.getByLabel('Bib').fill('2')
    await adding.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('4 runners', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Bib', exact: true }).click()
    await rows.first().getByText('Eve').waitFor()
    await page.getByRole('button', { name: 'Actions for 2 · Eve' }).click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    const editing = page.getByRole('dialog', { name: 'Edit 2 · Eve' })
    await editing.getByLabel('Phone number').fill('+33 6 12')
    await editing.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByRole('link', { name: '+33 6 12' }).waitFor()
    await page.getByLabel('Search participants').fill('eve')
    await page.getByText('1 of 4 runners').waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Actions for 2 · Eve' }).click()
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('0 of 3 runners').waitFor()
    await page.getByLabel('Search participants').fill('')
    await page.getByRole('row').filter({ hasText: 'Chloé Petit' }).getByText('Bridge').waitFor({ state: 'detached' })

    // As Excel saves it on a French Windows.
    const excel = Buffer.from('N° dossard;Nom;Catégorie;user_id\r\n9;Chloé Petit;F;chloe\r\n10;Zoé;F;zoe\r\n', 'latin1')
    await page.getByRole('button', { name: 'Replace start list' }).click()
    const files = page.locator('#content input[type="file"]')
    await files.setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: excel })
    await page
      .getByText(/^2 runners in 1 category\. 1 added: 10 · Zoé\. 1 changed: 9 · Chloé Petit\. 2 removed: .*Anna/)
      .waitFor()
    await page.getByRole('table', { name: 'The first runners of the list' }).getByText('Zoé').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  test('sees the ranking change as points arrive', async () => {
    const [anna, ben] = [await startRunner('anna'), await startRunner('ben')]
    await run(anna, lapPoints(0, 2500, 3))
    await run(ben, lapPoints(0, 1500, 2.5))
    await racePage(page, '/results')

    const leader = page.getByRole('table', { name: 'Ranking' }).locator('tbody tr').first()
    await leader.getByText('Anna Martin').waitFor()
    await page.getByText('0 finished · 2 on the course · 0 not started').waitFor()
    assert.deepEqual((await rowsOf(page, 'Ranking'))[0].slice(0, 6), [
      '1',
      '7',
      'Anna Martin',
      'F40',
      'Bridge',
      '11:07',
    ])
    await assertSound(page)

    await run(ben, lapPoints(1525, 4000, 5))
    await leader.getByText('Ben Dubois').waitFor()
    await leader.getByText('Finished').waitFor()

    await run(await startRunner('stranger'), lapPoints(0, 800, 3))
    await page.getByText('Not on the start list').waitFor()

    await page.getByLabel('Category').selectOption('F40')
    await page.waitForURL(/category=F40/)
    await leader.getByText('Anna Martin').waitFor()
    assert.deepEqual(
      (await rowsOf(page, 'Ranking')).map(([place, , name]) => [place, name]),
      [
        ['1', 'Anna Martin'],
        ['–', 'Chloé Petit'],
      ],
    )
  })

  test('reads the results with their certainty, and downloads them as CSV', async () => {
    await racePage(page, '/results?view=passings')
    const row = page.getByRole('table', { name: 'Results' }).getByRole('row').filter({ hasText: 'Ben Dubois' })
    await row
      .getByText(/^±\d+\ss$/)
      .first()
      .waitFor()
    await page.getByText('± shows how exact a time is').waitFor()
    await assertSound(page)

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ])

    assert.match(download.suggestedFilename(), /results\.csv$/)
    const csv = await readFile(await download.path(), 'utf8')
    assert.match(csv, /Ben Dubois/)
    assert.match(csv, /^\ufeffRank,.*,Bridge – time of day,/)
  })

  test('prints all of the results and nothing around them', async () => {
    await page.emulateMedia({ media: 'print' })

    await page.getByRole('table', { name: 'Results' }).waitFor()
    for (const hidden of [page.getByRole('link', { name: 'Download CSV' }), page.getByRole('banner')]) {
      await hidden.waitFor({ state: 'hidden' })
    }
    await page.emulateMedia({ media: null })
  })

  test('sees who ended the recording just before the line as finished, by a stop', async () => {
    await run(await startRunner('dan'), [...lapPoints(0, 3975, 4), ...lapPoints(3992, 3992, 4)])

    const row = page.getByRole('table', { name: 'Results' }).getByRole('row').filter({ hasText: 'dan' })
    await row.getByText(/16:38\s*±\d+\ss · stop 8\sm/).waitFor()
    await page.getByText('marks a runner who stopped so far from the line').waitFor()
    await racePage(page, '')
    await page
      .getByRole('button', { name: /^dan\b/ })
      .getByText('Finished')
      .waitFor()
    await page.getByRole('button', { name: /^dan\b/ }).click()
    await page.getByText(/±\d+\ss · stop 8\sm/).waitFor()
    await assertSound(page)
  })

  test('enters a time by hand, sees all that counts and counted, and imports times', async () => {
    await racePage(page, '/results?view=passings')
    await page.getByRole('button', { name: 'Times of 7 · Anna Martin' }).click()
    const dialog = page.getByRole('dialog', { name: 'Times of 7 · Anna Martin' })
    await dialog.getByText('Nothing has been entered or imported.').waitFor()
    await dialog.getByLabel('Checkpoint').selectOption('Finish')
    await dialog.getByLabel('Passed at').fill('2026-05-03T06:30:00')
    await dialog.getByRole('button', { name: 'Save time' }).press('Enter')

    await dialog.getByRole('row').filter({ hasText: 'Finish' }).getByText('by hand').waitFor()
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /Finish: 06:30:00.* · by hand/ })
      .waitFor()
    await assertSound(page)
    await dialog.getByRole('button', { name: 'Remove the time by hand' }).click()
    await dialog.getByRole('listitem').filter({ hasText: 'removed' }).waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Import times' }).click()
    const list = page.getByLabel('Times as CSV')
    await list.fill('bib,checkpoint,time\n99,Finish,0:29:00\n')
    await page.getByText('Line 2 (bib) is not on the start list.').waitFor()
    await list.fill('Dossard,Pointage,Heure\n7,Finish,0:29:00\n')
    await page.getByText('1 time', { exact: true }).waitFor()
    await assertSound(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Import times' }).click()
    const row = page.getByRole('table', { name: 'Results' }).getByRole('row').filter({ hasText: 'Anna Martin' })
    await row.getByText(/29:00\s*imported/).waitFor()
  })

  test('decides about a stop before the finish, which is rejected, asked for again, and accepted', async () => {
    await run(await startRunner('chloe'), lapPoints(0, 3930, 2))
    const runners = `/operator/events/${service.eventId}/runners`
    await service.answer(200, 'PATCH', runners, { user_id: 'chloe', status: null })
    const doubts = page.getByRole('region', { name: 'To decide' })
    const decide = doubts.getByRole('button', { name: 'Decide about 9 · Chloé Petit, Finish' })
    await doubts.getByText(/^Stopped 7\d m before Finish at 06:32:4\d/).waitFor()

    await decide.press('Enter')
    const dialog = page.getByRole('dialog', { name: '9 · Chloé Petit' })
    await dialog.getByRole('region', { name: 'Map of the doubtful place' }).waitFor()
    await assertSound(page)
    await page.keyboard.press('Escape')
    await decide.and(page.locator(':focus')).waitFor()
    await decide.press('Enter')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    // The next one: his recording jumps across the bridge.
    await page.getByRole('dialog', { name: '8 · Ben Dubois' }).getByText('No time at Bridge').waitFor()
    await page.keyboard.press('Escape')
    await decide.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Times of 9 · Chloé Petit' }).click()
    const times = page.getByRole('dialog', { name: 'Times of 9 · Chloé Petit' })
    await times.getByRole('listitem').filter({ hasText: 'Finish: doubtful time rejected' }).waitFor()
    await times.getByRole('button', { name: 'Decide again' }).click()
    await times.getByRole('listitem').filter({ hasText: 'removed' }).waitFor()
    await page.keyboard.press('Escape')

    await decide.click()
    await dialog.getByLabel('Passed Finish at').fill('2026-05-03T06:33:00')
    await dialog.getByRole('button', { name: 'Save time' }).click()
    const row = page.getByRole('table', { name: 'Results' }).getByRole('row').filter({ hasText: 'Chloé Petit' })
    await row.getByText(/33:00\s*by hand/).waitFor()
    await decide.waitFor({ state: 'detached' })
  })

  test('manages all of it on a phone in French, where a new course has its start and finish', async (t) => {
    const { id } = await service.createEvent('Trail du lac')
    const page = await dashboard.visitSignedIn(t, { viewport: { width: 360, height: 740 }, locale: 'fr-FR' })
    await page.goto(dashboard.at(`/events/${id}/course`))
    await page.locator('#content input[type="file"]').setInputFiles(GPX)
    const checkpoints = page.getByRole('list', { name: 'Points de contrôle' }).getByRole('listitem')
    await checkpoints.nth(1).waitFor()
    const names = await Promise.all([0, 1].map((at) => checkpoints.nth(at).getByLabel('Nom').inputValue()))
    assert.deepEqual(names, ['Départ', 'Arrivée'])
    for (const [part, heading] of [
      ['/results', 'Ben Dubois'],
      ['/results?view=passings', 'Ben Dubois'],
      ['/course', 'Points de contrôle'],
      ['/participants', 'Liste de départ'],
    ]) {
      await racePage(page, part)
      await page.getByText(heading).first().waitFor()
      const tooWidePx = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      assert.ok(tooWidePx <= 0, `${part} is ${tooWidePx} px too wide`)
      await assertSound(page)
    }
  })
})

describe('a spectator', async () => {
  const share = await dashboard.share()

  test('reads the ranking without JavaScript', async (t) => {
    const page = await dashboard.visit(t, { javaScriptEnabled: false })
    await page.goto(share)

    await page.getByRole('link', { name: 'Results' }).click()

    await page.getByRole('cell', { name: 'Ben Dubois', exact: true }).waitFor()
    await page.getByText('(net time)').waitFor()
    const cells = await page.getByRole('row').nth(1).getByRole('cell').allTextContents()
    assert.deepEqual(cells.slice(0, 5), ['1', '8', 'Ben Dubois', 'M', 'Finish'])
    await page
      .getByRole('row')
      .filter({ hasText: 'dan' })
      .getByText(/ · stop 8\sm/)
      .waitFor()
  })

  test('follows the ranking and the passing times on a phone, and the place of a runner on the live map', async (t) => {
    const page = await dashboard.visit(t, { viewport: { width: 360, height: 740 } })
    await page.goto(`${share}/results`)

    await page.getByRole('table', { name: 'Ranking' }).getByText('Anna Martin').waitFor()
    assert.match((await rowsOf(page, 'Ranking'))[0].join(' '), /^1 Ben Dubois Finished \d+:\d\d$/)
    const beyondPx =
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.virtual-table'))"
    assert.equal(await page.evaluate(beyondPx), 0)
    await page.getByText('Passing times').click()
    const row = page.getByRole('table', { name: 'Results' }).getByRole('row').filter({ hasText: 'Anna Martin' })
    await row
      .getByText(/±\d+\ss/)
      .first()
      .waitFor()
    const finish = (await row.getByRole('cell').nth(1).boundingBox())!
    assert.ok(finish.x + finish.width <= 360, `the time ends at ${finish.x + finish.width} px`)
    await page.getByRole('link', { name: 'Download CSV' }).waitFor()
    await assertSound(page)

    await page.goto(share)
    await page.getByRole('button', { name: /anna/i }).first().click()
    await page.getByText('Place 2 · Bib 7 · F40 · Finished').waitFor()
    await assertSound(page)
  })
})
