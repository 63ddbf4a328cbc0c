import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { WorkspaceFace } from '../../src/publications/shelf/schemas.ts'
import { becomes } from '../support/becomes.ts'
import { makeWorkspace, publishTo } from '../support/dashboard-library.ts'
import { makePdf, showText } from '../support/make-pdf.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard
const { url } = service

describe('the library', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('is searched, filtered and sorted, as covers and as a table', async () => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Searched')
    for (const title of ['Winter timetable', 'Été à Genève', 'Accounts']) await publishTo(dashboard, apiKey, title)
    await page.goto(dashboard.at(path))
    const links = page.getByRole('list', { name: 'Library' }).getByRole('link')

    await page.getByLabel('Sort by').selectOption('Title')
    await links.nth(2).waitFor()
    await links.first().filter({ hasText: 'Accounts' }).waitFor()
    await page.getByLabel('Search').fill('geneve')
    await page.getByText('1 publication', { exact: true }).waitFor()
    await becomes(() => links.allTextContents(), ['Été à Genève'])
    await page.getByRole('radio', { name: 'Table' }).press('Space')
    await page.getByRole('table', { name: 'Library' }).getByRole('link', { name: 'Été à Genève' }).waitFor()
    await assertSound(page)
    await page.getByLabel('Status').selectOption('unpublished')

    await page.getByRole('heading', { name: 'No matching publications' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('3 publications', { exact: true }).waitFor()
  })

  test('changes and deletes several publications at once, found by their texts', async () => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Selected')
    const pdf = (text: string) => makePdf({ pages: [{ content: showText(text) }] })
    const made = [
      await publishTo(dashboard, apiKey, 'Minutes of May', pdf('The bridge of the old town')),
      await publishTo(dashboard, apiKey, 'Minutes of June', pdf('A BRIDGE again')),
      await publishTo(dashboard, apiKey, 'Menu', pdf('Soup')),
    ]
    const madeNow = async () => {
      const response = await fetch(`${url}/publications`, { headers: { 'X-API-Key': apiKey } })
      const listed = (await response.json()) as { slug: string; access: string; visibility: string }[]
      return made.map(({ slug }) => listed.find((one) => one.slug === slug))
    }
    const accesses = async () => (await madeNow()).map((one) => one?.access)
    const visibilities = async () => (await madeNow()).map((one) => one?.visibility)
    await page.goto(dashboard.at(`${path}?view=table`))
    const bar = page.getByRole('group', { name: 'Selected publications' })

    await page.getByLabel('Search').fill('bridge')
    await page.getByText('2 publications', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Select Minutes of May' }).check()
    await bar.getByText('1 selected').waitFor()
    await assertSound(page)
    await bar.getByRole('button', { name: 'Select all shown' }).click()
    await bar.getByRole('button', { name: 'Access' }).click()
    await page.getByRole('menuitem', { name: 'Unlisted' }).click()
    await page.getByText('2 publications changed').waitFor()
    assert.deepEqual(await accesses(), ['unlisted', 'unlisted', 'public'])
    await bar.getByRole('button', { name: 'Your shelf' }).waitFor({ state: 'detached' })
    const face = { slug: 'selected', name: 'Selected' }
    const putFace = () => service.answer<WorkspaceFace>(200, 'PUT', `/operator${path}/face`, face)
    await putFace()
    await page.reload()
    await page.getByRole('checkbox', { name: 'Select Minutes of May' }).check()
    await bar.getByRole('button', { name: 'Your shelf' }).click()
    await page.getByRole('menuitem', { name: 'Put first' }).click()
    await page.getByText('The order of the shelf has changed').waitFor()
    const { order } = await putFace()
    assert.deepEqual(order, [made[0].id])
    await bar.getByRole('button', { name: 'Select all shown' }).click()
    await bar.getByRole('button', { name: 'Unpublish…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Minutes of June').waitFor()
    assert.deepEqual(await visibilities(), ['visible', 'visible', 'visible'])
    await dialog.getByRole('button', { name: 'Unpublish', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await visibilities(), ['unpublished', 'unpublished', 'visible'])
    await bar.getByRole('button', { name: 'Delete…' }).click()
    await dialog.getByText('Minutes of June').waitFor()
    await assertSound(page)
    await dialog.getByRole('textbox').fill('2')
    await dialog.getByRole('button', { name: 'Delete 2 publications' }).click()

    await page.getByText('2 publications deleted').waitFor()
    assert.deepEqual(await accesses(), [undefined, undefined, 'public'])
  })

  test('is sorted into collections, which are made there, renamed, moved and deleted', async () => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Sorted')
    for (const title of ['Plan of May', 'Plan of June', 'Menu']) await publishTo(dashboard, apiKey, title)
    const names = async () => {
      const response = await fetch(`${url}/collections`, { headers: { 'X-API-Key': apiKey } })
      const { collections } = (await response.json()) as { collections: { name: string; publications_count: number }[] }
      return collections.map(({ name, publications_count }) => `${name} ${publications_count}`)
    }
    await page.goto(dashboard.at(`${path}?view=table`))
    const bar = page.getByRole('group', { name: 'Selected publications' })
    const makeNew = async (name: string) => {
      await bar.getByRole('button', { name: 'Collection' }).click()
      await page.getByRole('menuitem', { name: 'New collection…' }).click()
      const dialog = page.getByRole('dialog', { name: 'New collection' })
      await dialog.getByRole('button', { name: 'Create collection' }).click()
      await dialog.getByText('Enter a name').waitFor()
      await dialog.getByLabel('Public name').fill(name)
      if (name === 'Plans') await assertSound(page)
      await dialog.getByRole('button', { name: 'Create collection' }).click()
      await dialog.waitFor({ state: 'detached' })
    }

    for (const title of ['Plan of May', 'Plan of June'])
      await page.getByRole('checkbox', { name: `Select ${title}` }).check()
    await makeNew('Plans')
    await page.getByText('2 publications changed').waitFor()
    await page.getByLabel('Collection').selectOption('Plans')
    await page.getByText('2 publications', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Select Plan of June' }).uncheck()
    await makeNew('Of May')
    await page.getByText('1 publication', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Plan of May' }).waitFor({ state: 'detached' })
    await assertSound(page)
    await page.getByLabel('Collection').selectOption('No collection')
    await page.getByRole('link', { name: 'Menu' }).waitFor()
    assert.deepEqual(await names(), ['Plans 1', 'Of May 1'])

    await page.goto(dashboard.at(`${path}/face`))
    const list = page.getByRole('list', { name: 'Collections' })
    await list.getByRole('button', { name: 'Move Of May up' }).click()
    await list.getByRole('listitem').first().getByText('Of May').waitFor()
    await list.getByRole('button', { name: 'Edit Of May' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Public name').fill('Spring')
    await dialog.getByLabel('URL slug').fill('plans')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Another collection has or had this slug').waitFor()
    await dialog.getByLabel('URL slug').fill('spring')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await list.getByText('Spring').waitFor()
    await list.getByRole('button', { name: 'Delete Plans' }).click()
    await assertSound(page)
    await dialog.getByRole('button', { name: 'Delete collection' }).click()
    await list.getByText('Plans').waitFor({ state: 'detached' })
    assert.deepEqual(await names(), ['Spring 1'])
  })

  test('follows what others publish, unpublish and delete', async () => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Followed')
    await page.goto(dashboard.at(path))
    await page.getByText('Up to date', { exact: true }).waitFor()

    const { slug } = await publishTo(dashboard, apiKey, 'From a program', numberedPages(4))
    const card = page.getByRole('listitem').filter({ hasText: 'From a program' })
    await card.getByText('4 pages').waitFor()
    const headers = { 'X-API-Key': apiKey }
    await fetch(`${url}/publications/${slug}/unpublish`, { method: 'POST', headers })
    await card.getByText('unpublished').waitFor()
    await fetch(`${url}/publications/${slug}`, { method: 'DELETE', headers })

    await page.getByRole('heading', { name: 'No publications yet' }).waitFor()
    await assertSound(page)
  })
})
