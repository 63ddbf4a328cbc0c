import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { WorkspaceFace } from '../../src/publications/shelf/schemas.ts'
import { becomes } from '../support/becomes.ts'
import { damagedPages } from '../support/damaged-pages.ts'
import { assertStatus, choose, makeWorkspace, pdfFile, publishTo } from '../support/dashboard-library.ts'
import { makePdf, showText } from '../support/make-pdf.ts'
import { active, encrypted, numberedPages, outlined } from '../support/make-pdf-examples.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const { url } = dashboard.service

describe('the library', () => {
  test('is searched, filtered and sorted, as covers and as a table', async (t) => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Searched')
    for (const title of ['Winter timetable', 'Été à Genève', 'Accounts']) await publishTo(dashboard, apiKey, title)
    const page = await dashboard.visitSignedIn(t)
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

  test('changes and deletes several publications at once, found by their texts', async (t) => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Selected')
    const pdf = (text: string) => makePdf({ pages: [{ content: showText(text) }] })
    const made = [
      await publishTo(dashboard, apiKey, 'Minutes of May', pdf('The bridge of the old town')),
      await publishTo(dashboard, apiKey, 'Minutes of June', pdf('A BRIDGE again')),
      await publishTo(dashboard, apiKey, 'Menu', pdf('Soup')),
    ]
    const accesses = async () => {
      const response = await fetch(`${url}/publications`, { headers: { 'X-API-Key': apiKey } })
      const listed = (await response.json()) as { slug: string; access: string }[]
      return made.map(({ slug }) => listed.find((one) => one.slug === slug)?.access)
    }
    const page = await dashboard.visitSignedIn(t)
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
    const putFace = async () => {
      const headers = { 'Sec-Fetch-Site': 'same-origin', Origin: url }
      const answer = await page.request.put(`${url}/operator${path}/face`, { data: face, headers })
      return (await answer.json()) as WorkspaceFace
    }
    await putFace()
    await page.reload()
    await page.getByRole('checkbox', { name: 'Select Minutes of May' }).check()
    await bar.getByRole('button', { name: 'Your shelf' }).click()
    await page.getByRole('menuitem', { name: 'Put first' }).click()
    await page.getByText('The order of the shelf has changed').waitFor()
    const { order } = await putFace()
    assert.deepEqual(order, [made[0].id])
    await bar.getByRole('button', { name: 'Select all shown' }).click()
    await bar.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Minutes of June').waitFor()
    await assertSound(page)
    await dialog.getByRole('textbox').fill('2')
    await dialog.getByRole('button', { name: 'Delete 2 publications' }).click()

    await page.getByText('2 publications deleted').waitFor()
    assert.deepEqual(await accesses(), [undefined, undefined, 'public'])
  })

  test('is sorted into collections, which are made there, renamed, moved and deleted', async (t) => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Sorted')
    for (const title of ['Plan of May', 'Plan of June', 'Menu']) await publishTo(dashboard, apiKey, title)
    const names = async () => {
      const response = await fetch(`${url}/collections`, { headers: { 'X-API-Key': apiKey } })
      const { collections } = (await response.json()) as { collections: { name: string; publications_count: number }[] }
      return collections.map(({ name, publications_count }) => `${name} ${publications_count}`)
    }
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`${path}?view=table`))
    const bar = page.getByRole('group', { name: 'Selected publications' })
    const makeNew = async (name: string) => {
      await bar.getByRole('button', { name: 'Collection' }).click()
      await page.getByRole('menuitem', { name: 'New collection…' }).click()
      const dialog = page.getByRole('dialog', { name: 'New collection' })
      await dialog.getByRole('button', { name: 'Create collection' }).click()
      await dialog.getByText('Enter a name').waitFor()
      await dialog.getByLabel('Public name').fill(name)
      await assertSound(page)
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

  test('follows what others publish, unpublish and delete', async (t) => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Followed')
    const page = await dashboard.visitSignedIn(t)
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

  test('shows that it could not be loaded, and loads on a retry', async (t) => {
    const { path } = await makeWorkspace(dashboard, 'Down')
    const page = await dashboard.visitSignedIn(t)
    const problem = { status: 403, code: 'FORBIDDEN', detail: '' }
    // Once the stream is open, the list is refetched automatically, which is not what this test is about.
    await page.route('**/live', () => undefined)
    await page.route('**/publications?*', (route) => route.fulfill({ status: 403, json: problem }))
    await page.goto(dashboard.at(path))
    await page.getByText('This action is not allowed').waitFor()
    await assertSound(page)

    await page.unroute('**/publications?*')
    await page.getByRole('button', { name: 'Try again' }).click()

    await page.getByRole('heading', { name: 'No publications yet' }).waitFor()
  })
})

describe('a publication', () => {
  test('shows its pages, address, embed code, QR code and document', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Shown')
    const { id, public_url } = await publishTo(dashboard, apiKey, 'Shown document', outlined())
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at(`/publications/${id}`))

    await page.getByRole('code').getByText(public_url, { exact: true }).waitFor()
    await page.getByText(`<iframe src="${public_url}/embed"`).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Open' }).getAttribute('href'), public_url)
    await page.getByRole('row', { name: /Language.*Swiss High German/ }).waitFor()
    await page.getByRole('row', { name: /Table of contents.*3/ }).waitFor()
    await assertSound(page)
    for (const [button, ending] of [
      ['Download PNG', 'png'],
      ['Download SVG', 'svg'],
    ]) {
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: button }).click()
      assert.equal((await downloading).suggestedFilename(), `shown-document.${ending}`)
    }
    await page.getByRole('button', { name: 'Show: Page 2' }).click()
    const preview = page.getByRole('figure', { name: 'Preview' })
    await preview.getByRole('img', { name: 'Page 2' }).waitFor()
    await preview.getByRole('button', { name: 'Previous page' }).click()
    await preview.getByRole('img', { name: 'Page 1' }).waitFor()
    await assertSound(page)
  })

  test('is edited beside a preview of what readers see first; its former settings lead there', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Previewed')
    const { id } = await publishTo(dashboard, apiKey, 'Plain', numberedPages(5))
    const viewport = { width: 1024, height: 768 }
    const page = await dashboard.visitSignedIn(t, { viewport, colorScheme: 'dark' })

    await page.goto(dashboard.at(`/publications/${id}/settings`))
    const preview = page.getByRole('figure', { name: 'Preview' })
    await preview.getByText('First view: All pages in a row').waitFor()
    assert.equal(page.url(), dashboard.at(`/publications/${id}`))
    await page.getByLabel('Title').fill('A magazine')
    await page.getByRole('textbox', { name: 'Author' }).fill('Ada Lovelace')
    await page.getByLabel('URL slug').fill('a-magazine')
    await page.getByLabel('First view').selectOption('Two pages, the cover alone')

    await preview.getByText('A magazine', { exact: true }).waitFor()
    await preview.getByText('Ada Lovelace').waitFor()
    await preview.getByText(`${url}/p/a-magazine`).waitFor()
    await preview.getByRole('button', { name: 'Next page' }).press('Enter')
    await preview.getByRole('img', { name: 'Page 3' }).waitFor()
    await preview.getByRole('img', { name: 'Page 2' }).waitFor()
    const [shown, edited] = [await preview.boundingBox(), await page.getByLabel('Title').boundingBox()]
    assert.ok(shown!.x + shown!.width <= edited!.x, 'beside each other')
    await assertSound(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'A magazine', level: 1 }).waitFor()
  })

  test('shows problems of its pages and active content of its file', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Troubled')
    const damaged = await publishTo(dashboard, apiKey, 'Damaged', damagedPages([2], 3))
    const lively = await publishTo(dashboard, apiKey, 'Lively', active())
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at(`/publications/${damaged.id}`))
    await page.getByText('1 page could not be rendered').waitFor()
    await page.getByText('The page is damaged and cannot be read.').waitFor()
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await page.getByRole('figure', { name: 'Preview' }).getByText('Readers see this placeholder').waitFor()
    await page.goto(dashboard.at(`/publications/${lively.id}`))

    await page.getByText('It contains scripts (JavaScript).').waitFor()
    await page.getByText('It has attachments.').waitFor()
    await page.getByText('1 page without text').waitFor()
    await assertSound(page)
  })

  test('says which of its stored files are missing or damaged, and how to get them back', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Lost')
    const { id } = await publishTo(dashboard, apiKey, 'Lost')
    const { db, inspection } = dashboard.service.server.publications!.deps
    const { blob_key } = await db
      .selectFrom('versions')
      .select('blob_key')
      .where('publication_id', '=', id)
      .executeTakeFirstOrThrow()
    const file = { kind: 'file', detail: '', subject_id: id } as const
    await inspection.store.note({ ...file, key: blob_key, problem: 'missing' }, Date.now())
    await inspection.store.note({ ...file, key: 'images/1', problem: 'damaged' }, Date.now())
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at(`/publications/${id}`))
    const alert = page.getByRole('alert', { name: 'Stored files are missing or damaged' })
    await alert.getByText('The PDF is missing.').waitFor()
    await alert.getByText('1 page image is missing or damaged.').waitFor()
    await alert.getByText('admin storage repair', { exact: true }).waitFor()
    await assertSound(page)
  })

  test('gets another title and address, and its former address redirects', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Renamed')
    const { id } = await publishTo(dashboard, apiKey, 'Draft')
    await publishTo(dashboard, apiKey, 'Taken')
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/publications/${id}`))
    const slug = page.getByLabel('URL slug')

    await slug.fill('Not Like This')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use lowercase letters and digits').waitFor()
    await slug.fill('taken')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Another publication uses, or has used, this slug').waitFor()
    await assertSound(page)
    await page.getByLabel('Title').fill('Final')
    await slug.fill('final')
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('heading', { name: 'Final', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'draft', exact: true }).waitFor()
    assert.equal((await fetch(`${url}/p/draft`)).url, `${url}/p/final`)
  })

  test('gets an author and a language of its own, and those of its file only when they are chosen', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Stated')
    const { id, public_url } = await publishTo(dashboard, apiKey, 'Stated', outlined())
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/publications/${id}`))
    const author = page.getByRole('textbox', { name: 'Author' })
    assert.equal(await author.inputValue(), '')
    assert.doesNotMatch(await (await fetch(public_url)).text(), /Müller/)
    await page.getByRole('button', { name: 'Use for Author: Müller' }).click()
    await becomes(() => author.inputValue(), 'Müller')

    await author.fill('Ada Lovelace')
    await page.getByRole('textbox', { name: 'Language' }).fill('German')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use a language tag').waitFor()
    await page.getByRole('textbox', { name: 'Language' }).fill('de')
    await page.getByRole('checkbox', { name: 'Recognise the text of scanned pages' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()

    const html = await (await fetch(public_url)).text()
    assert.match(html, /Ada Lovelace/)
    await page.reload()
    await becomes(() => page.getByRole('checkbox', { name: 'Recognise the text' }).isChecked(), false)
    await assertSound(page)
  })

  test('is for everyone, whoever has the address, or nobody, as its settings say', async (t) => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Circles')
    const { id, slug, public_url } = await publishTo(dashboard, apiKey, 'For a circle')
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/publications/${id}`))
    const isListed = async () => (await (await fetch(`${url}/sitemap.xml`)).text()).includes(`/p/${slug}<`)
    assert.equal(await isListed(), true)

    const apply = async (access: string) => {
      await page.getByRole('radio', { name: access }).check()
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.locator('.mantine-Badge-root', { hasText: access }).waitFor()
    }
    await page.getByText('Everyone can read it').waitFor()
    await apply('Unlisted')
    await page.getByText('It is listed nowhere').waitFor()
    assert.deepEqual([await isListed(), (await fetch(public_url)).status], [false, 200])
    await apply('Restricted')
    await page.getByText('there is no reader link').waitFor()
    assert.equal((await fetch(public_url)).status, 404)
    await assertSound(page)

    await page.getByRole('checkbox', { name: 'Readers can download the PDF' }).click()
    await apply('Unlisted')
    await page.getByText('The PDF cannot be downloaded').waitFor()
    for (;;) if ((await fetch(`${url}/publications/${slug}/pdf`)).status === 403) break
    const reader = await dashboard.visit(t, { isFirst: true })
    await reader.goto(public_url)
    await reader.getByRole('toolbar').waitFor()
    assert.equal(await reader.getByRole('link', { name: 'Download PDF' }).count(), 0)
    await apply('Restricted')

    await page.getByText('Readers find nothing at these addresses').waitFor()
    await page.goto(dashboard.at(`${path}?state=restricted`))
    await page.getByRole('link', { name: 'For a circle' }).waitFor()
    await page.getByLabel('Status').selectOption('public')
    await page.getByRole('heading', { name: 'No matching publications' }).waitFor()
  })

  test('is read from one time to another, as its settings say', async (t) => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Seasons')
    const { id, public_url } = await publishTo(dashboard, apiKey, 'For a season')
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/publications/${id}`))
    const [from, until] = [page.getByLabel('Not before'), page.getByLabel('Until')]
    const apply = () => page.getByRole('button', { name: 'Apply' }).click()

    await from.fill('2999-05-03T08:00')
    await until.fill('2999-05-03T08:00')
    await apply()
    await page.getByText('The end must be after the beginning').waitFor()
    assert.equal((await fetch(public_url)).status, 200)
    await until.fill('2999-06-03T08:00')
    await apply()
    await page.getByText('Readers find nothing at its address before').first().waitFor()
    await page.getByText('It ends on').waitFor()
    await assertStatus(public_url, 404)
    await assertSound(page)

    await from.fill('2020-05-03T08:00')
    await until.fill('2020-06-03T08:00')
    await apply()
    await page.locator('.mantine-Badge-root', { hasText: 'Ended' }).waitFor()
    await assertStatus(public_url, 410)
    await page.goto(dashboard.at(`${path}?state=expired`))
    await page.getByRole('link', { name: 'For a season' }).waitFor()
  })

  test('is read by whoever has its password, which a page asks for', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Locked')
    const { id, public_url } = await publishTo(dashboard, apiKey, 'Behind a word', numberedPages(3))
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/publications/${id}`))
    const apply = () => page.getByRole('button', { name: 'Apply' }).click()

    await page.getByLabel('Password (optional)').fill('short')
    await apply()
    await page.getByText('Use at least 8 characters').waitFor()
    await page.getByLabel('Password (optional)').fill('a quiet lake')
    await apply()
    await page.getByText('has the address and the password').waitFor()
    await assertSound(page)
    const reader = await dashboard.visit(t, { isFirst: true, viewport: { width: 390, height: 844 } })
    await reader.goto(public_url)
    await reader.getByLabel('Password').fill('a loud lake')
    await reader.getByRole('button', { name: 'Open' }).click()
    await reader.getByRole('alert').waitFor()
    await assertSound(reader)
    await reader.getByLabel('Password').fill('a quiet lake')
    await reader.getByRole('button', { name: 'Open' }).click()
    await reader.getByRole('toolbar').waitFor()
    assert.match(reader.url(), new RegExp(`^${public_url}(#.*)?$`))
    await reader.locator('#page-1 img').first().waitFor()

    await page.getByLabel('Ask for no password any more').check()
    await apply()
    await page.getByText('Everyone can read it').waitFor()
    await assertStatus(public_url, 200)
  })

  test('is read by whoever has a link, until that is revoked', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Lent')
    const { id, slug, public_url } = await publishTo(dashboard, apiKey, 'On loan', numberedPages(3))
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ access: 'restricted' })
    await fetch(`${url}/publications/${slug}`, { method: 'PATCH', headers, body })
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/publications/${id}`))
    await page.getByText('no reader can open it').waitFor()
    await page.getByRole('textbox', { name: 'For whom' }).fill('The board')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByRole('link', { name: 'Open' }).getAttribute('href')
    await assertSound(page)

    const reader = await dashboard.visit(t, {
      isFirst: true,
      viewport: { width: 390, height: 844 },
      userAgent: 'Mozilla/5.0 (Android 16; Mobile) Chrome/140.0',
    })
    await reader.goto(link!)
    await reader.getByRole('toolbar').waitFor()
    assert.match(reader.url(), new RegExp(`^${public_url}(#.*)?$`))
    await reader.locator('#page-1 img').first().waitFor()
    await dashboard.service.server.publications!.deps.figureCounter.store()
    await page.reload()
    await page.getByText(/1 view · 1 reader .*last opened/).waitFor()
    await page.getByRole('button', { name: 'Edit: The board' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('For whom').fill('The committee')
    await dialog.getByLabel('Ends (empty for never)').fill('2090-05-03T10:00')
    await dialog.getByLabel('Password (optional)').fill('short')
    await dialog.getByLabel('PDF').selectOption('no')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('at least 8').waitFor()
    await assertSound(page)
    await dialog.getByLabel('Password (optional)').fill('a quiet lake')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/With a password · Without the PDF · Ends .*2090/).waitFor()
    await reader.goto(public_url)
    await reader.getByRole('textbox', { name: 'Password' }).waitFor()
    await page.getByRole('button', { name: 'Revoke: The committee' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Link revoked').waitFor()

    const gone = await reader.goto(public_url)
    assert.equal(gone?.status(), 404)
  })

  test('is uploaded as a draft, with the title that the file states', async (t) => {
    const { path } = await makeWorkspace(dashboard, 'Drafts')
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(path))

    await page.getByRole('checkbox', { name: 'As drafts' }).check()
    await choose(page, 'Upload files', [pdfFile('scan_7.pdf', outlined())])
    await page.getByText('Saved as a draft').waitFor()

    await page.getByRole('list', { name: 'Library' }).getByRole('link', { name: 'Ein Titel' }).waitFor()
    await assertStatus(`${url}/p/ein-titel`, 404)
    await page.getByText('1 file saved as a draft').waitFor()
    await page.reload()
    assert.equal(await page.getByRole('checkbox', { name: 'As drafts' }).isChecked(), true)
    await page.getByRole('list', { name: 'Library' }).getByRole('link', { name: 'Ein Titel' }).click()
    await page.getByText('It has not been published yet').waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Ein Titel is published').waitFor()
    await assertStatus(`${url}/p/ein-titel`, 200)
    await assertSound(page)
  })

  test('gets another file', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Replaced')
    const { id } = await publishTo(dashboard, apiKey, 'Revised', numberedPages(1))
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/publications/${id}`))

    await choose(page, 'Choose new file', [pdfFile('locked.pdf', encrypted())])
    await page.getByText('password-protected').waitFor()
    await choose(page, 'Choose new file', [pdfFile('second edition.pdf', numberedPages(5))])

    const question = page.getByRole('group', { name: 'Replace the file by second edition.pdf?' })
    await question.getByText('1 page → 5 pages').waitFor()
    await assertSound(page)
    await question.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    const versions = page.getByRole('list', { name: 'Versions' })
    await versions.getByText('4 pages are new: 2, 3, 4, 5').waitFor()
    await assertSound(page)
    await versions.getByRole('button', { name: 'Go back to version 1' }).click()
    await page.getByText('Version 1 is back').waitFor()
    await versions.getByText('4 pages are gone: 2, 3, 4, 5').waitFor()
    await versions.getByRole('button', { name: 'Delete version 2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Version 2 deleted').waitFor()
    await choose(page, 'Choose new file', [pdfFile('first edition.pdf', numberedPages(1))])
    await page.getByText('the very same file as version 3').waitFor()
    await page.getByRole('button', { name: 'Keep the current file' }).click()
    await page.getByRole('button', { name: 'Choose new file' }).waitFor()
  })

  test('is unpublished and published again', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Withdrawn')
    const { id, public_url } = await publishTo(dashboard, apiKey, 'Embargoed')
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/publications/${id}`))

    await page.getByRole('button', { name: 'Unpublish…' }).click()
    await page.getByRole('dialog').getByText('Nothing is deleted').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click()
    await page.getByText('Embargoed is no longer public').waitFor()
    await page.getByText('Unpublished since').waitFor()
    await assertSound(page)
    await assertStatus(public_url, 410)
    await page.getByRole('button', { name: 'Publish again' }).click()

    await page.getByText('Embargoed is public again').waitFor()
    await assertStatus(public_url, 200)
  })

  test('is deleted after its title has been typed', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Deleted from')
    const { id, public_url } = await publishTo(dashboard, apiKey, 'Mistake')
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/publications/${id}`))

    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete publication' }).and(page.locator(':disabled')).waitFor()
    await dialog.getByLabel('Type the title').fill('Mistake')
    await dialog.getByRole('button', { name: 'Delete publication' }).click()

    await page.getByText('Deleted Mistake').waitFor()
    await page.getByRole('heading', { name: 'No publications yet' }).waitFor()
    assert.ok((await fetch(public_url)).status >= 400)
  })

  test('shows reading figures as charts and as tables', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Read')
    const { id } = await publishTo(dashboard, apiKey, 'Popular', numberedPages(3))
    const page = await dashboard.visitSignedIn(t)
    // As Chromium says on a Linux without a locale.
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })")
    await page.goto(dashboard.at(`/publications/${id}/readers`))
    await page.getByRole('heading', { name: 'No readers in this period' }).waitFor()
    await assertSound(page)
    const row = { publication_id: id, day: new Date().toISOString().slice(0, 10), page: 0 }
    const figures = [
      { ...row, kind: 'views' as const, amount: 41 },
      { ...row, kind: 'readers' as const, amount: 33 },
      { ...row, kind: 'page' as const, page: 2, amount: 17 },
      { ...row, kind: 'from news.example' as const, amount: 12 },
    ]
    await dashboard.service.server.publications!.deps.figures.add({ figures, readers: [] })

    await page.reload()

    await page.getByRole('img', { name: 'By day' }).waitFor()
    await page.getByRole('region', { name: 'By day' }).getByRole('radio', { name: 'Table' }).press('Space')
    await page.getByRole('row', { name: /41 33/ }).waitFor()
    const pages = page.getByRole('region', { name: 'By page' }).first()
    await pages.getByRole('radio', { name: 'Table' }).press('Space')
    await page.getByRole('row', { name: '2 17' }).waitFor()
    await page.getByRole('row', { name: 'news.example 12' }).waitFor()
    assert.match((await page.getByRole('link', { name: 'Export' }).getAttribute('href'))!, /format=csv/)
    await assertSound(page)
    await page.getByRole('radio', { name: '7 days' }).press('Space')
    await page.waitForURL(/days=7/)
  })

  test('is accessible in the dark scheme, on a narrow screen and in French', async (t) => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Everywhere')
    const { id } = await publishTo(dashboard, apiKey, 'Partout', numberedPages(2))
    const viewport = { width: 380, height: 780 }
    const page = await dashboard.visitSignedIn(t, { colorScheme: 'dark', viewport, locale: 'fr-FR' })

    for (const [address, words] of [
      [path, 'Importer'],
      [`/publications/${id}`, 'Remplacer le fichier'],
      [`/publications/${id}/readers`, 'Aucun lecteur sur cette période'],
      [`${path}/programs`, 'Remplacer la clé'],
    ]) {
      await page.goto(dashboard.at(address))
      await page.getByText(words).first().waitFor()
      await assertSound(page)
      const isWider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
      assert.equal(isWider, false, address)
    }
  })

  test('that does not exist is not found', async (t) => {
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at('/publications/0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'))

    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  })
})
